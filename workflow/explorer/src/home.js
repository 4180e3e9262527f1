// The gallery of all games: a picture, a sentence and the value of each.

import { Thumbnail } from "./boards.js";
import { GamePicture, TwoDice } from "./pictures.js";
import { write } from "./place.js";
import { capital, gameName, matchName, valueText } from "./words.js";

/** Games in the order in which people know them; others follow. For each, the match to open first. */
const KNOWN = {
  yahtzee: "score",
  ten_thousand: "duel",
  pig: "duel",
  bear_off: "duel",
  blackjack: "return",
  video_poker: "return",
  royal_ur: "duel",
  shut_the_box: "win",
  risk: "win",
  cant_stop: "turns",
  liars_dice: "duel",
  hog: "duel",
  pass_the_pigs: "turn",
  einstein: "duel",
  ten_times_eighteen: "score",
};
const ORDER = Object.keys(KNOWN);

export function Home({ list, links }) {
  const games = [...new Set(list.map((t) => t.game))];
  const place = (game) => (ORDER.includes(game) ? ORDER.indexOf(game) : ORDER.length);
  games.sort((a, b) => place(a) - place(b));
  return (
    <div class="home">
      <h1>What is the best move, and what does every other one cost?</h1>
      <p class="lead">Exact answers for games of chance: set a position, see the best action, or play with a coach.</p>
      <nav class="games" aria-label="Games">
        {games.map((game) => (
          <Game of={list.filter((t) => t.game === game)} />
        ))}
      </nav>
      <footer class="links">
        {Object.entries(links).map(([text, url]) => (
          <a href={url}>{text}</a>
        ))}
      </footer>
    </div>
  );
}

function Game({ of }) {
  const first = of.find(({ game, match }) => KNOWN[game] === match) ?? of[0];
  const [, names, about] = first.about.match(/^([^:]*): (.*)$/s) ?? [null, "", first.about];
  const value = first.match !== "duel" ? matchName(first) : first.unit === "probability" ? "The first player wins" : "For the first player";
  return (
    <a class="game" href={write({ table: first.table, play: false, given: first.drawing ? first.parameters : {} })}>
      {GamePicture(first) ?? (
        <span class="picture" inert>
          {first.drawing?.length ? <Thumbnail {...first} /> : <TwoDice />}
        </span>
      )}
      <strong>{names.startsWith(gameName(first)) ? names.replace(" also known as", "") : gameName(first)}</strong>
      <span>{capital(about)}</span>
      <span class="value">{`${value}: ${valueText(first.value, first.unit)}`}</span>
    </a>
  );
}
