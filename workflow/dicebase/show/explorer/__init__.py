"""The explorer: a static site over the tables of a results folder, which needs no server and no network;
docs/use/explorer.md lists its files and the kinds of variants in it."""
