(** The checker as an OCaml program with the whole numbers of Zarith. *)

From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlZBigInt.
From Proof Require Import Game Check.

Extraction "checker.ml" check.
