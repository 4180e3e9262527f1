// Answers from the server that the page came from, for boards too large for a page (show/explorer/variants.py).

const NOBODY = "Only a server answers about this board, as it is too large for a page: dicebase serve";

export class Served {
  kind = "served";
  dice = {};

  constructor({ meta }, ask) {
    Object.assign(this, { meta, ask, columns: meta.columns });
  }

  anywhere(name) {
    return this.meta.anywhere[name];
  }

  possible(name) {
    return this.meta.anywhere[name];
  }

  /** As for every variant; `why` explains why a state is not a position. */
  async answer(state) {
    const answer = await this.ask(state);
    this.why = answer ? answer.error : NOBODY;
    return this.why ? null : answer;
  }
}
