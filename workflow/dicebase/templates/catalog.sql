{# Views and macros of the catalogue. First decisions that follow from stored rows, as tables/follow has them: ranked
actions, where to place a roll (placements.py), what to keep of one (keeps.py). In a macro of the database a bare name
that is an argument's too would be the argument, so every name here has its relation before it; for the names with
underscores see `at`. #}

{% macro columns(relation, names) -%}
{% for name in names %}{{ relation }}."{{ name }}"{% if not loop.last %}, {% endif %}{% endfor %}
{%- endmacro %}

{# Whether two relations have the same in these columns. #}
{% macro same(one, other, names) -%}
{% for name in names %}{{ one }}."{{ name }}" = {{ other }}."{{ name }}"{% if not loop.last %} AND {% endif %}{% endfor %}
{%- endmacro %}

{# Columns of a relation under names that nobody outside uses: _<relation>."_<column>". #}
{% macro renamed(source, names, relation) -%}
(SELECT {% for name in names %}r."{{ name }}" AS "_{{ name }}"{% if not loop.last %}, {% endif %}{% endfor %}
 FROM {{ source }} AS r) AS _{{ relation }}
{%- endmacro %}

{# `choices` with ANSWERS: of each position, actions within the tolerance of the best are optimal, the first of them is
taken, and they are undecided if several are that do not lead to the same.

choices    a query with the columns of `position` and action, q_value, number (in the game's order) and leads_to
tolerance  SQL, the relation being p        sense  1 where more is better, -1 where less is
certain    whether q-values of 0 and 1 are exact, being probabilities #}
{% macro ranked(choices, position, tolerance, sense=1, certain=False) -%}
{% set worth = "p.q_value" if sense > 0 else "-p.q_value" %}
WITH compared AS (
    SELECT p.*, max({{ worth }}) OVER position - {{ worth }} AS regret,
        max({{ worth }}) OVER position - {{ worth }} <= {{ tolerance }} AS optimal
    FROM ({{ choices }}) AS p
    WINDOW position AS ({% if position %}PARTITION BY {{ columns("p", position) }}{% endif %})
)
SELECT {{ columns("c", position + ["action", "q_value", "regret"]) }},
    CAST(row_number() OVER (position ORDER BY c.optimal DESC, c.number) = 1 AS DOUBLE) AS probability,
    c.optimal,
    c.optimal AND {% if certain %}c.q_value > 0 AND c.q_value < 1 AND {% endif %}

        min(c.leads_to) FILTER (c.optimal) OVER position
        <> max(c.leads_to) FILTER (c.optimal) OVER position AS undecided
FROM compared AS c
WINDOW position AS ({% if position %}PARTITION BY {{ columns("c", position) }}{% endif %})
{%- endmacro %}

{# The rows of `<table>_actions` of states of two actions at the most, of which the row says everything. Both are
optimal where they tie, or are not told apart. #}
{% macro two_actions(table, keys) -%}
SELECT {{ columns("s", keys) }},
    CASE WHEN c.best = (s.action = 'roll') THEN 'roll' ELSE '{{ table.rules_class.stop }}' END AS action,
    CASE WHEN c.best THEN s.value ELSE s.value {{ "-" if table.match_class.sense > 0 else "+" }} s.margin END AS q_value,
    CASE WHEN c.best THEN 0e0 ELSE s.margin END AS regret, CASE WHEN c.best THEN 1e0 ELSE 0e0 END AS probability,
    c.best OR s.margin <= {{ tie }} AS optimal, coalesce(s.margin <= {{ tie }}, false) AS undecided
FROM data.{{ table.name }} AS s CROSS JOIN (VALUES (true), (false)) AS c(best)
WHERE c.best OR s.margin IS NOT NULL
{%- endmacro %}

{# What is stored of an action, in few bytes: what it gives up where that does not follow from the best action's worth,
which is the same in all rows of a state; and `probability`, SQL of what is stored of it; and the action as it is shown. #}
{% macro packed(table, probability) -%}
* REPLACE ({% if probability %}{{ probability }} AS probability, {% endif %}
    nullif(regret, abs({{ top(table) }} - q_value)) AS regret), {{ top(table) }} AS top
{%- endmacro %}

{% macro unpacked(table) -%}
* EXCLUDE (top) REPLACE (coalesce(regret, abs(top - q_value)) AS regret, CAST(probability AS DOUBLE) AS probability)
{%- endmacro %}

{% macro top(table) -%}(q_value {{ "+" if table.match_class.sense > 0 else "-" }} regret){%- endmacro %}

{% macro names_of(columns) -%}{{ columns | map(attribute="name") | join(" ") }}{%- endmacro %}

{# A row for each position and slot, with its q-value: a stored number, found by a join, and what the slot scores.

v  the stored row of a position        g  a placement of the roll in a slot        w  the stored row it leads to #}
{% macro placed(table) -%}
{% set match, parameters = table.followed, names_of(table.parameters).split() %}
{% set points = 'v."' ~ match.points ~ '"' %}
{% set q_value = ("g.gain + " if match.gains else "") ~ "coalesce(w.value, 0e0)" %}
SELECT {{ columns("v", parameters + names_of(match.columns).split()) }}, g.roll_total, g.tolerance,
    CAST(g.slot AS VARCHAR) AS action, g.slot AS number, g.slot AS leads_to,
    {% if match.enough %}CASE WHEN {{ points }} <= g.gain THEN 1e0 ELSE {{ q_value }} END{% else %}{{ q_value }}{% endif %} AS q_value
FROM data.{{ table.name }}_values AS v
JOIN data.{{ table.name }}_placements AS g
    ON {{ same("g", "v", parameters) }} AND (v.free >> (g.slot - 1)) & 1 = 1
LEFT JOIN data.{{ table.name }}_values AS w
    ON {{ same("w", "v", parameters) }} AND w.free = v.free - (1 << (g.slot - 1))
    {% if match.points %}
    AND w."{{ match.points }}" = {{ points }} {{ "+" if match.step > 0 else "-" }} g.gain
    {% endif %}
{%- endmacro %}

{% macro position_of(table) -%}{{ names_of(table.parameters) }} {{ names_of(table.followed.state_columns) }}{%- endmacro %}

{# The rows of `<table>_actions` of tables, or variants, whose decisions are too many to be stored. Certain and
impossible are exact; any other two values that are this close are not told apart. #}
{% macro placements(table) -%}
{{ ranked(placed(table), position_of(table).split(), "p.tolerance", certain=table.followed.value.unit == "probability") }}
{%- endmacro %}

{# The rows of `<table>` that follow: those that `ranked` takes, and their margins, by groups, which needs a fraction of
the time and memory of its windows. #}
{% macro states(table) -%}
{% set position = position_of(table).split() %}
WITH grouped AS (
    SELECT {{ columns("p", position) }}, max(p.q_value, 2) AS best,
        list(struct_pack(slot := p.number, q_value := p.q_value)) AS choices, any_value(p.tolerance) AS tolerance
    FROM ({{ placed(table) }}) AS p
    GROUP BY {{ columns("p", position) }}
)
SELECT {{ columns("s", position) }}, s.best[1] AS value,
    CAST(list_min([choice.slot FOR choice IN s.choices IF s.best[1] - choice.q_value <= s.tolerance]) AS VARCHAR)
        AS action,
    CASE WHEN len(s.best) > 1 THEN s.best[1] - s.best[2] END AS margin
FROM grouped AS s
{%- endmacro %}

{# Whether columns of a relation that is `renamed` are what is asked for; `given` has the SQL of each. #}
{% macro asked(relation, columns, given) -%}
{% for name in columns %}{{ relation }}."_{{ name }}" = {{ given[name] }}{% if not loop.last %} AND {% endif %}{% endfor %}
{%- endmacro %}

{# The rows of `<table>`, or of `<table>_actions`, of a score sheet: the starts of its turns, where one rolls. #}
{% macro starts(table, actions=false) -%}
SELECT {{ columns("s", names_of(table.parameters).split() + names_of(table.followed.columns).split()) }},
{% if actions %}
'roll' AS action, s.value AS q_value, 0e0 AS regret, 1e0 AS probability, true AS optimal, false AS undecided
{% else %}
s.value, 'roll' AS action, CAST(NULL AS DOUBLE) AS margin
{% endif %}
FROM data.{{ table.name }}_values AS s
{%- endmacro %}

{# The sheet of a variant, with _card: the open boxes as a number, whatever words they are given in. #}
{% macro sheet(table, given) -%}
{% set variant = names_of(table.parameters).split() %}
SELECT _s.*, CASE WHEN _s._number IS NOT NULL THEN _s._number WHEN NOT list_has_all(_s._boxes, _s._named)
    THEN error('{{ table.name }}_at: open: ' || _s._said || ' are not all boxes, which are ' || array_to_string(_s._boxes, ', '))
    WHEN _s._said = 'all' THEN _s._full WHEN starts_with(_s._said, 'all but ') THEN _s._full - _s._bits ELSE _s._bits END AS _card
FROM (
    SELECT _s.*, CAST(coalesce(list_sum([1 << (list_position(_s._boxes, _n) - 1) FOR _n IN _s._named]), 0) AS BIGINT) AS _bits
    FROM (
        SELECT _s.*, (1 << len(_s._boxes)) - 1 AS _full, CAST("open" AS VARCHAR) AS _said,
            TRY_CAST(CAST("open" AS VARCHAR) AS BIGINT) AS _number,
            list_distinct([_n FOR _n IN string_split(replace(replace(CAST("open" AS VARCHAR), 'all but ', ''), ' ', ','), ',')
                IF _n <> '' AND _n <> 'all']) AS _named
        FROM {{ renamed("data." ~ table.name ~ "_sheets", variant + [
            "boxes", "upper_at", "upper_bonus", "rolls", "part", "tolerance", "sets", "levels", "keeps"], "s") }}
        WHERE {{ asked("_s", variant, given) }}
    ) AS _s
) AS _s
{%- endmacro %}

{# The ranked actions of dice on a score sheet, as follow/sheets.py has them; lists count from 1.

_s  the sheet    _e  the ways to use dice in a box    _v  the card after that    _q  what they are worth on this card
_W  what sets of dice are worth, a roll's parts when they may be rolled again so often #}
{% macro sheet_actions(table, given, dice, rerolls) -%}
{% set variant = names_of(table.parameters).split() %}
{% set boxes %}
SELECT _e._roll, _e._box, _s._boxes[_e._box + 1] AS _name, _s._sets[_e._roll] AS _dice, _s._tolerance,
    _e._points + _e._further * {{ given.bonus }} + CASE WHEN {{ given.upper }} < _s._upper_at
        AND {{ given.upper }} + _e._upper >= _s._upper_at THEN _s._upper_bonus ELSE 0 END + coalesce(_v._value, 0e0) AS _worth
FROM ({{ sheet(table, given) }}) AS _s
JOIN {{ renamed("data." ~ table.name ~ "_entries",
    variant + ["roll", "box", "points", "upper", "further", "earns", "among", "opened"], "e") }}
    ON {{ asked("_e", variant, given) }} AND (_s._card >> _e._box) & 1 = 1 AND _s._card & _e._among = _e._opened
JOIN {{ renamed("data." ~ table.name ~ "_values", variant + ["open", "upper", "bonus"], "b") }}
    ON {{ asked("_b", variant + ["upper", "bonus"], given) }} AND _b._open = _s._card
LEFT JOIN {{ renamed("data." ~ table.name ~ "_values", variant + ["open", "upper", "bonus", "value"], "v") }}
    ON {{ asked("_v", variant, given) }} AND _v._open = _s._card - (1 << _e._box)
    AND _v._upper = least({{ given.upper }} + _e._upper, _s._upper_at) AND _v._bonus = greatest({{ given.bonus }}, _e._earns)
{% endset %}
{% set turn = namespace(sql="SELECT _s.*, _b._W FROM (" ~ sheet(table, given) ~ ") AS _s JOIN (SELECT list(_b._best ORDER BY _b._roll) AS _W"
    ~ " FROM (SELECT _q._roll, max(_q._worth) AS _best FROM (" ~ boxes ~ ") AS _q GROUP BY _q._roll) AS _b) AS _b ON len(_b._W) > 0") %}
{% for again in range(1, rerolls + 1) %}
{% for level in range(dice + 1) if level or again > 1 %}
{# A sheet of fewer dice than the largest has fewer levels. #}
{% set worth = "_w._W || coalesce([list_sum(list_select(_w._W, _n)) * _w._part FOR _n IN _w._levels[" ~ level ~ "]], [])" if level
    else "[list_max(list_select(_w._W, _n)) FOR _n IN _w._keeps]" %}
{% set turn.sql = "SELECT _w.* REPLACE (CASE WHEN " ~ given.rerolls_left ~ " >= " ~ again ~ " THEN " ~ worth
    ~ " ELSE _w._W END AS _W) FROM (" ~ turn.sql ~ ") AS _w" %}
{% endfor %}
{% endfor %}
{% set choices %}
SELECT _q._box AS number, _q._name AS action, _q._worth AS q_value, _q._box AS leads_to, _q._tolerance AS tolerance
FROM ({{ boxes }}) AS _q
WHERE {{ given.rerolls_left }} = 0 AND _q._dice = {{ given.roll }}
UNION ALL
SELECT _k._place, 'keep ' || coalesce(nullif(_k._sets[_k._place], ''), 'nothing'), _k._W[_k._place], _k._place, _k._tolerance
FROM (
    SELECT _w._W, _w._sets, _w._tolerance, unnest(_w._keeps[list_position(_w._sets, {{ given.roll }})]) AS _place
    FROM ({{ turn.sql }}) AS _w
    WHERE {{ given.rerolls_left }} > 0 AND {{ given.rerolls_left }} < _w._rolls
) AS _k
{% endset %}
{{ ranked(choices, [], "p.tolerance", table.followed.sense) }}
{%- endmacro %}

{# What an action is worth that one may not take. #}
{% macro never(match) -%}CAST('{{ "-" if match.sense > 0 }}inf' AS DOUBLE){%- endmacro %}

{# One row, or none: the turn of a variant that is stored by the starts of its turns, as it goes on from a position
(follow/turns.py); no row where the variant has rows of all positions, or no turn comes to the position.

_banks, _wipe   what banking is worth, by points, and what is left without any
_V              what the positions after this one are worth, by total and place, and 1 from the target on

_t  the rolls of the turn    _p  the position    _b  the start of the turn    _l  the starts to which it leads #}
{% macro turn(table, given, position, rolls=false) -%}
{% set match, variant = table.match_class, names_of(table.parameters).split() %}
{% set record = names_of(match.record_columns).split() %}
{% set mine = (match.record_columns | selectattr("unit", "equalto", "points") | first).name %}
{% set after = after_turn(match, record, given) %}
{% set need = 'CAST(ceil((_b."_target" - _b."_' ~ mine ~ '") / _t._unit) AS BIGINT)' %}
SELECT _f.*, list_reduce(
        [list_resize([1e0], _f._reach, 1e0)] || [[_x] FOR _x IN list_reverse(_f._banks[_f._total // _f._unit + 2 :])],
        lambda _V, _x: _x || [{{ "greatest" if match.sense > 0 else "least" }}(CASE WHEN _m.must THEN {{ never(match) }} ELSE _x[1] END,
            {{ rolled("_f", "_V", "_m", "0", match.sense) }}) FOR _m IN _f._hands] || _V) AS _V
FROM (
    SELECT _t._unit, _t._reach, _t._hands, _p._turn_total AS _total, _b."_target", _b."_{{ mine }}" AS _mine, _b._value,
        list_transform(coalesce(_l._banks, list_resize([{{ match.reward }}e0], {{ need }}, {{ match.reward }}e0)),
            lambda _x, _i: CASE WHEN _i > 1 AND (_i - 1) * _t._unit < CASE WHEN _b."_{{ mine }}" = 0 THEN _t._opening ELSE _t._least END
                THEN {{ never(match) }} ELSE _x END) AS _banks,
        coalesce(_l._wipe, {{ match.reward }}e0) AS _wipe{{ ", _p._dice" if "dice" in position }}
    FROM {{ renamed("data." ~ table.name ~ "_throws", variant + ["unit", "reach", "opening", "least", "hands"], "t") }}
    JOIN {{ renamed("data." ~ table.name ~ "_positions", variant + position, "p") }}
        ON {{ asked("_p", variant + (["turn_total"] if rolls else position), given) }}
    JOIN {{ renamed("data." ~ table.name, variant + record + ["turn_total", "value"], "b") }}
        ON {{ asked("_b", variant + record, given) }} AND _b._turn_total = 0
    CROSS JOIN (
        SELECT list({{ match.reward }} + {{ match.sign }} * _w._value ORDER BY _w._points)
                FILTER (_w._points >= {{ given[mine] }}) AS _banks,
            any_value({{ match.reward }} + {{ match.sign }} * _w._value) FILTER (_w._points = 0) AS _wipe
        FROM (SELECT *, {% for name, sql in after.items() if sql == "points" %}_s."_{{ name }}"{% endfor %} AS _points
            FROM {{ renamed("data." ~ table.name, variant + record + ["turn_total", "value"], "s") }}) AS _w
        WHERE {{ asked("_w", variant, given) }} AND _w._turn_total = 0
            {% for name, sql in after.items() if sql != "points" %}
            AND _w."_{{ name }}" = {{ sql }}
            {% endfor %}
    ) AS _l
    WHERE {{ asked("_t", variant, given) }} AND _p._turn_total < _b."_target" - _b."_{{ mine }}"
) AS _f
{%- endmacro %}

{# What it is worth to roll so many `units` after the position, the sum of Hand in follow/turns.py; and to bank. #}
{% macro rolled(turn, values, hand, units, sense) -%}
list_sum([{{ hand }}.bust * {{ turn }}._banks[1] + {{ hand }}.wipe * {{ turn }}._wipe] || [_o.weight
    * list_{{ "max" if sense > 0 else "min" }}([{{ values }}[_i + {{ units }} * (len({{ turn }}._hands) + 1)] FOR _i IN _o.places])
    FOR _o IN {{ hand }}.rolls]) / {{ hand }}.sum
{%- endmacro %}

{% macro hand(turn, dice) -%}
list_filter({{ turn }}._hands, lambda _h: _h.dice = {{ dice }})[1]
{%- endmacro %}

{# The ranked actions inside a turn that follow from the starts of turns: who banks where both tie. #}
{% macro followed_actions(table, given, position) -%}
{% set sense, m = table.match_class.sense, hand("_g", "_g._dice") if "dice" in position else "_g._hands[1]" %}
SELECT c.action, CASE WHEN c.banks THEN f.bank ELSE f.roll END AS q_value,
    CASE WHEN c.banks THEN f.bank_loses ELSE f.roll_loses END AS regret,
    CAST(c.banks = (f.bank_loses <= {{ tie }}) AS DOUBLE) AS probability,
    CASE WHEN c.banks THEN f.bank_loses ELSE f.roll_loses END <= {{ tie }} AS optimal,
    greatest(f.bank_loses, f.roll_loses) <= {{ tie }} AS undecided
FROM (
    SELECT w.*, {{ "w.best - w.bank" if sense > 0 else "w.bank - w.best" }} AS bank_loses,
        {{ "w.best - w.roll" if sense > 0 else "w.roll - w.best" }} AS roll_loses
    FROM (
        SELECT v.*, {{ "greatest" if sense > 0 else "least" }}(v.bank, v.roll) AS best
        FROM (
            SELECT CASE WHEN _g._m.must THEN {{ never(table.match_class) }} ELSE _g._banks[_g._total // _g._unit + 1] END AS bank, {{ rolled("_g", "_g._V", "_g._m", "0", sense) }} AS roll
            FROM (SELECT _g.*, {{ m }} AS _m FROM ({{ turn(table, given, position) }}) AS _g WHERE _g._total > 0) AS _g
        ) AS v
    ) AS w
) AS f CROSS JOIN (VALUES (true, '{{ table.rules_class.stop }}'), (false, 'roll')) AS c(banks, action)
WHERE isfinite(f.bank) OR NOT c.banks
{%- endmacro %}

{# The ranked actions of a roll; `given` is the SQL of each parameter, of the roll, and of each column of a position but
for the dice. In doubles no sum overflows, whatever a question says.

_k  a way to keep        _b  the row before the roll        _a  the row after keeping, if there is one #}
{% macro rolled_actions(table, given, by_starts) -%}
{% set match, variant = table.match_class, names_of(table.parameters).split() %}
{% set record = variant + names_of(match.record_columns).split() %}
{% set mine = (match.record_columns | selectattr("unit", "equalto", "points") | first).name %}
{% set total = "CAST(" ~ given.turn_total ~ " AS DOUBLE)" %}
{% set ends = total ~ " + _k._gain >= CAST(" ~ given.target ~ " AS DOUBLE) - CAST(" ~ given[mine] ~ " AS DOUBLE)" %}
{% set kept = renamed("data." ~ table.name ~ "_keeps",
    variant + ["starts", "roll", "rolled", "number", "keep", "gain", "dice"], "k") %}
{# What ends the match is worth one: a win, or the turn that is counted. Of the same turn total, banked or rolled with as
many dice, two actions are the same in all but name. Where nothing is left to look up the row before stands in: an outer
join would hash the whole table. #}
{% set choices %}
SELECT 2 * k.number + CASE WHEN c.banks THEN 0 ELSE 1 END AS number,
    'keep ' || k.keep || ', '
        || CASE WHEN c.banks THEN '{{ table.rules_class.stop }}' ELSE 'roll ' || k.dice END AS action,
    CASE WHEN k.ends THEN 1e0 WHEN c.banks THEN k.bank ELSE k.roll END AS q_value,
    CASE WHEN k.ends THEN '' WHEN c.banks THEN 'bank ' || k.gain ELSE k.dice || ' at ' || k.gain END AS leads_to
FROM (
    SELECT _k._number AS number, _k._keep AS keep, _k._gain AS gain, _k._dice AS dice, {{ ends }} AS ends,
        CASE WHEN _a._action = 'roll' THEN _a._value ELSE _a._other END AS roll,
        CASE WHEN _a._action = 'roll' THEN _a._other ELSE _a._value END AS bank
    FROM {{ kept }}
    SEMI JOIN {{ renamed("data." ~ table.name, record + ["turn_total", "dice"], "b") }}
        ON {{ asked("_b", record + ["turn_total"], given) }} AND _b._dice = _k._rolled
    JOIN (SELECT *, _value {{ "-" if match.sense > 0 else "+" }} _margin AS _other
        FROM {{ renamed("data." ~ table.name, record + ["turn_total", "dice", "value", "margin", "action"], "a") }}) AS _a
        ON {{ asked("_a", record, given) }}
        AND _a._turn_total = CASE WHEN {{ ends }} THEN {{ total }} ELSE {{ total }} + _k._gain END
        AND _a._dice = CASE WHEN {{ ends }} THEN _k._rolled ELSE _k._dice END
    WHERE {{ asked("_k", variant, given) }} AND _k._roll = {{ given.roll }} AND NOT _k._starts
    {% if by_starts %}
    UNION ALL
    SELECT _g._number, _g._keep, _g._gain, _g._dice, _g._ends,
        {{ rolled("_g", "_g._V", "_g._m", "_g._more", match.sense) }},
        CASE WHEN _g._m.must THEN {{ never(match) }} ELSE _g._banks[_g._total // _g._unit + _g._more + 1] END
    FROM (
        SELECT _k.*, _g._banks, _g._wipe, _g._hands, _g._V, _g._total, _g._unit, _k._gain // _g._unit AS _more,
            {{ hand("_g", "_k._dice") }} AS _m, _g._total + _k._gain >= _g._target - _g._mine AS _ends
        FROM ({{ turn(table, given, ["turn_total", "dice"], true) }}) AS _g
        JOIN {{ kept }} ON _k._rolled = _g._dice
        WHERE {{ asked("_k", variant, given) }} AND _k._roll = {{ given.roll }}
    ) AS _g
    {% endif %}
) AS k CROSS JOIN (VALUES (true), (false)) AS c(banks)
WHERE CASE WHEN c.banks THEN k.ends OR coalesce(isfinite(k.bank), false) ELSE NOT k.ends END
{% endset %}
{{ ranked(choices, [], tie, match.sense) }}
{%- endmacro %}

{# The ranked actions past the stored totals of a turn, by the theorem: each is a line in the total (BestTurn.lines). #}
{% macro beyond_actions(table, given, rest) -%}
{% set variant, total = names_of(table.parameters).split(), given[table.rules_class.total] %}
{% set choices %}
SELECT _f._number AS number, _f._action AS action, _f._slope * {{ total }} + _f._at_nought AS q_value,
    _f._slope || ' ' || _f._at_nought AS leads_to
FROM {{ renamed("data." ~ table.name ~ "_beyond",
    variant + rest + ["number", "action", "slope", "at_nought", "phase", "period", "unit", "last"], "f") }}
WHERE {{ asked("_f", variant, given) }} AND {{ total }} > _f._last
    AND {{ total }} % _f._unit = 0 AND {{ total }} % _f._period = _f._phase
    {% for name in rest %}AND _f."_{{ name }}" = {{ given[name] }}{% endfor %}

{% endset %}
{# Doubles: what differs by no more than they can tell is a tie; where it is the same line it is one. #}
{{ ranked(choices, [], "4 * 2.3e-16 * abs(p.q_value)", table.match_class.sense) }}
{%- endmacro %}

{# The table macro `<table>_at`: one position, in SQL; of ranked actions the best first. A state is given by place,
parameters by name: `pig_duel_at(30, 50, 20, target := 50)`. Those that are left out are the paper's. Where dice are
kept, `roll :=` may be given in the place of `dice`. Where there is no answer an error says so: no rows would be taken
for one.

An argument may be a column of the caller's, `me`, and takes its place in the body as it stands: where the table has a
column of that name it would be compared with itself, and every row returned in silence. So where arguments are
compared, relations and columns have names that no caller uses (`renamed`).

keys   the columns of a position, parameters first
given  the SQL of each column of a position, as it is stored, and of the roll    rolls  whether dice are kept
sheet  of a score sheet: (the most dice, the most times they may be rolled again)    starts  whether there are variants that are stored by the starts of turns
beyond  whether totals past the stored ones are answered by a theorem: a column says so then #}
{% macro at(table, keys, source, answers, given, rolls=false, starts=false, beyond=false, sheet=none) -%}
{% set comma = joiner(", ") %}
CREATE MACRO {{ table.name }}_at(
{% set own, known = keys | reject("in", names_of(table.parameters).split()) | list, table.match_class.defaults %}
{% for name in own | reject("in", known) | list + own | select("in", known) | list if not rolls or name != "dice" %}
{{ comma() }}"{{ name }}"
{%- if sheet and name in table.match_class.defaults %} := {{ literal(table.match_class.defaults[name]) }}{% endif %}

{% endfor %}
{{ ", roll := NULL, rerolls_left := NULL" if sheet }}
{{ comma() ~ "dice := NULL, roll := NULL" if rolls }}
{% for p in table.parameters %}
{{ comma() }}"{{ p.name }}" := {{ "'" ~ (p.default | string | replace("'", "''")) ~ "'" if p.kind.__name__ == "str" else p.default }}
{% endfor %}
) AS TABLE
SELECT {% for n in answers %}
{% if loop.first %}
CASE WHEN _at._found IS NULL THEN error(concat_ws(' ', '{{ table.name }}_at: no {{ "decision" if "optimal" in answers else "row" }} at'
    {% for n in keys %}, '{{ n }}=' || "{{ n }}"{% endfor %}{{ ", 'roll=' || roll" if rolls or sheet }}{{ ", 'rerolls_left=' || rerolls_left" if sheet }})
    || ': no such position, or not solved (view tables){{ "; give either dice or roll" if rolls }}{{ "; give both roll and rerolls_left, or neither" if sheet }}')
    ELSE _at."{{ n }}" END AS "{{ n }}"
{%- else %}, _at."{{ n }}"{% endif %}{% endfor %}
{{ ", _at.beyond" if beyond }}
FROM (VALUES (0)) LEFT JOIN (SELECT true AS _found, _all.* FROM (
SELECT {% for n in answers %}_row."_{{ n }}" AS "{{ n }}"{% if not loop.last %}, {% endif %}{% endfor %}
{{ ", false AS beyond" if beyond }}
FROM {{ renamed(source, keys + answers, "row") }}
WHERE {% for n in keys %}_row."_{{ n }}" = {{ given[n] }}
{% if not loop.last %} AND {% endif %}{% endfor %}

{% if sheet %}
AND roll IS NULL
{% endif %}
{% if beyond %}
UNION ALL SELECT *, true FROM ({{ beyond_actions(table, given, keys | reject("in", names_of(table.parameters).split() + [table.rules_class.total]) | list) }})
{% endif %}
{% if starts %}
{% set position = names_of(table.parameters).split() + names_of(table.match_class.record_columns).split() %}
UNION ALL FROM ({{ followed_actions(table, given, keys | reject("in", position) | list) }})
{% endif %}
{% if sheet %}
UNION ALL FROM ({{ sheet_actions(table, given, *sheet) }})
{% endif %}
{% if rolls %}
UNION ALL FROM ({{ rolled_actions(table, given, starts) }})
{% endif %}
) AS _all) AS _at ON {{ "(dice IS NULL) <> (roll IS NULL)" if rolls else "(roll IS NULL) = (rerolls_left IS NULL)" if sheet else "true" }}
{{ "ORDER BY optimal DESC, probability DESC, regret, action" if "optimal" in answers }}
{%- endmacro %}

{# Of each distribution over its last column the mean, standard deviation and median. A sum of doubles meets a half that
is exact only up to its rounding. #}
{% macro summary(name, group, x, percentiles) -%}
{% set by = '"' ~ group | join('", "') ~ '"' %}
CREATE VIEW {{ name }}_summary AS
WITH moments AS (
    SELECT {{ by }}, sum("{{ x }}" * probability) AS mean FROM data.{{ name }} GROUP BY {{ by }}
), cumulated AS (
    SELECT *, sum(probability) OVER (PARTITION BY {{ by }} ORDER BY "{{ x }}") AS up_to FROM data.{{ name }}
)
SELECT {{ by }}, any_value(mean) AS mean, sqrt(sum(probability * ("{{ x }}" - mean) ** 2)) AS standard_deviation,
    min("{{ x }}") FILTER (up_to >= 0.5 - 1e-12) AS median, min("{{ x }}") AS least, max("{{ x }}") AS greatest,
    {% for percent in percentiles %}
    min("{{ x }}") FILTER (up_to >= {{ percent }} * 1e-2 - 1e-12) AS percentile_{{ percent }}{{ "," if not loop.last }}
    {% endfor %}
FROM cumulated JOIN moments USING ({{ by }})
GROUP BY {{ by }}
ORDER BY {{ by }}
{%- endmacro %}

{# The rows of a table with the error bound of their variant. #}
{% macro bounded(table) -%}
SELECT t.*, c.error_bound
FROM data.{{ table.name }} AS t
JOIN (SELECT * FROM data.certificates WHERE "table" = '{{ table.name }}') AS c
    ON {% for p in table.parameters %}
CAST(c.parameters->>'{{ p.name }}' AS {{ "VARCHAR" if p.default is string else "INTEGER" }}) = t."{{ p.name }}"
{% if not loop.last %} AND {% endif %}{% endfor %}
{%- endmacro %}

{# A roll as the tables write it: digits in order, whatever is between them; other text as it is. #}
{% macro sorted_dice() -%}
CREATE MACRO sorted_dice(roll) AS
    CASE WHEN regexp_full_match(CAST(roll AS VARCHAR), '[][ ,;(){}-]*[0-9][][ ,;(){}0-9-]*')
        THEN array_to_string(list_sort(string_split(translate(CAST(roll AS VARCHAR), ' ,;-[](){}', ''), '')), '')
        ELSE CAST(roll AS VARCHAR) END
{%- endmacro %}

{# The folder of the catalogue that was opened, beside which DuckDB's temporary files go, as the beginning of a pattern. #}
{% macro results_folder() -%}
CREATE MACRO results_folder() AS regexp_replace(
    coalesce(getvariable('dicebase_results'), regexp_replace(current_setting('temp_directory'), '[^/\\]*$', '')),
    '([*?[])', '[\1]', 'g')
{%- endmacro %}
