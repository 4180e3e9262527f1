{# Views and macros of the catalogue. They begin with decisions that follow from stored rows, as in tables/follow: ranked
actions, placements of rolls (placements.py), kept dice (keeps.py). In a database macro a bare name that is also an
argument's name would mean the argument, so every name here is qualified by its relation; `at` explains the names with
underscores. #}

{% macro columns(relation, names) -%}
{% for name in names %}{{ relation }}."{{ name }}"{% if not loop.last %}, {% endif %}{% endfor %}
{%- endmacro %}

{# Condition: two relations agree in these columns. #}
{% macro same(one, other, names) -%}
{% for name in names %}{{ one }}."{{ name }}" = {{ other }}."{{ name }}"{% if not loop.last %} AND {% endif %}{% endfor %}
{%- endmacro %}

{# Columns of a relation under names that no caller uses: _<relation>."_<column>". #}
{% macro renamed(source, names, relation) -%}
(SELECT {% for name in names %}r."{{ name }}" AS "_{{ name }}"{% if not loop.last %}, {% endif %}{% endfor %}
 FROM {{ source }} AS r) AS _{{ relation }}
{%- endmacro %}

{# `choices` with the columns ANSWERS: in each position, actions within the tolerance of the best are optimal, the policy
takes the first of them, and they are undecided if several do not lead to the same.

choices    a query with the columns of `position` and action, q_value, number (in the game's order) and leads_to
tolerance  SQL, with the relation named p
sense      1 if more is better, -1 if less is
certain    whether q-values of 0 and 1 are exact, as for probabilities #}
{% macro ranked(choices, position, tolerance, sense=1, certain=False) -%}
{% set worth = "p.q_value" if sense > 0 else "-p.q_value" %}
{% set over = "OVER (" ~ ("PARTITION BY " ~ columns("p", position) if position) ~ ")" %}
SELECT {{ columns("p", position + ["action", "q_value", "regret"]) }},
    CAST(p.number = min(p.number) FILTER (p.optimal) {{ over }} AS DOUBLE) AS probability, p.optimal,
    p.optimal AND {% if certain %}p.q_value > 0 AND p.q_value < 1 AND {% endif %}

        min(p.leads_to) FILTER (p.optimal) {{ over }} <> max(p.leads_to) FILTER (p.optimal) {{ over }} AS undecided
FROM (
    SELECT p.*, p.regret <= {{ tolerance }} AS optimal
    FROM (SELECT p.*, max({{ worth }}) {{ over }} - {{ worth }} AS regret FROM ({{ choices }}) AS p) AS p
) AS p
{%- endmacro %}

{# The rows of `<table>_actions` of states with at most two actions, which follow from the states' rows. In a tie, proved
or not, both are optimal. #}
{% macro two_actions(table, keys) -%}
SELECT {{ columns("s", keys) }},
    CASE WHEN c.best = (s.action = 'roll') THEN 'roll' ELSE '{{ table.rules_class.stop }}' END AS action,
    CASE WHEN c.best THEN s.value ELSE s.value {{ "-" if table.match_class.sense > 0 else "+" }} s.margin END AS q_value,
    CASE WHEN c.best THEN 0e0 ELSE s.margin END AS regret, CASE WHEN c.best THEN 1e0 ELSE 0e0 END AS probability,
    c.best OR s.margin <= {{ tie }} AS optimal, coalesce(s.margin <= {{ tie }}, false) AS undecided
FROM data.{{ table.name }} AS s CROSS JOIN (VALUES (true), (false)) AS c(best)
WHERE c.best OR s.margin IS NOT NULL
{%- endmacro %}

{# An action's columns as stored, in few bytes: its regret is stored only if it does not follow from the best action's
value, which is equal in all rows of a state; `probability` is the SQL for its probability.

DuckDB reverses the entries of EXCLUDE (a, b) and REPLACE (a, b) each time it rewrites a stored view or macro. A view
or macro therefore has at most one entry, and its text stays the same. #}
{% macro packed(table, probability) -%}
* REPLACE ({% if probability %}{{ probability }} AS probability, {% endif %}
    nullif(regret, abs({{ top(table) }} - q_value)) AS regret), {{ top(table) }} AS top
{%- endmacro %}

{# The columns of an action; the relation is named a. #}
{% macro unpacked(names) -%}
{% for name in names %}{{ {"regret": "coalesce(a.regret, abs(a.top - a.q_value)) AS regret",
    "probability": "CAST(a.probability AS DOUBLE) AS probability"}.get(name, 'a."' ~ name ~ '"') }}
{%- if not loop.last %}, {% endif %}{% endfor %}
{%- endmacro %}

{% macro top(table) -%}(q_value {{ "+" if table.match_class.sense > 0 else "-" }} regret){%- endmacro %}

{% macro names_of(columns) -%}{{ columns | map(attribute="name") | join(" ") }}{%- endmacro %}

{# A row for each position and slot with its q-value: a stored value found by a join, plus the slot's score.

v  stored row of a position        g  placement of the roll in a slot        w  stored row that it leads to #}
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

{# The rows of `<table>_actions` if decisions are not stored. Values of exactly 0 and 1 are exact as probabilities; other
values this close count as tied. #}
{% macro placements(table) -%}
{{ ranked(placed(table), position_of(table).split(), "p.tolerance", certain=table.followed.value.unit == "probability") }}
{%- endmacro %}

{# The rows of `<table>` that follow: those that `ranked` takes, with their margins, by grouping, which needs a fraction
of the time and memory of windows. #}
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

{# Condition: the columns of a relation that is `renamed` equal the question's; `given` has the SQL of each. #}
{% macro asked(relation, columns, given) -%}
{% for name in columns %}{{ relation }}."_{{ name }}" = {{ given[name] }}{% if not loop.last %} AND {% endif %}{% endfor %}
{%- endmacro %}

{# The rows of `<table>`, or of `<table>_actions`, of a score sheet at the starts of its turns, where the player rolls. #}
{% macro starts(table, actions=false) -%}
SELECT {{ columns("s", names_of(table.parameters).split() + names_of(table.followed.columns).split()) }},
{% if actions %}
'roll' AS action, s.value AS q_value, 0e0 AS regret, 1e0 AS probability, true AS optimal, false AS undecided
{% else %}
s.value, 'roll' AS action, CAST(NULL AS DOUBLE) AS margin
{% endif %}
FROM data.{{ table.name }}_values AS s
{%- endmacro %}

{# The sheet of a variant with _card: the open boxes as a number, from whatever words they are given in. #}
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

{# The ranked actions of dice on a score sheet, as in follow/sheets.py; lists count from 1.

_s  the sheet    _e  the ways to use dice in a box    _v  the card after that    _q  their values on this card
_W  values of sets of dice, or of the parts of a roll, with this number of rerolls left #}
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
    WHERE {{ given.rerolls_left }} IN ({{ range(1, rerolls + 1) | join(", ") }}) AND {{ given.rerolls_left }} < _w._rolls
) AS _k
{% endset %}
{{ ranked(choices, [], "p.tolerance", table.followed.sense) }}
{%- endmacro %}

{# At most one row: the turn of a variant stored by the starts of its turns, as it continues from a position
(follow/turns.py); no row if the variant has rows of all positions. Planning a function call costs as much as a scan, so
places and names are stored, in lists. Stored columns have names as `renamed` gives them.

_u, _at   where the mover's points, and the turn total, stand among the points
_V        what a bust is worth, and a wipe; then by total, from this one on, and place: to bank, to roll; 1 from the target on

_t  the rolls of the turn    _b  the values of the starts to which it leads #}
{% macro turn(table, given) -%}
{% set match, variant = table.match_class, names_of(table.parameters).split() %}
{% set mine = mine_of(match) %}
SELECT _f.*, list_reduce([[_f._values[_f._u], _f._values[1]] || _f._far] || [
        [_f._values[_f._u], _f._values[1], CASE WHEN _i BETWEEN 2 AND CASE WHEN _f._u = 1 THEN _f._opening ELSE _f._least END
            THEN CAST('{{ "-" if match.sense > 0 }}inf' AS DOUBLE) ELSE _f._values[_f._u + _i - 1] END]
        FOR _i IN range(len(_f._points) - _f._u + 1, _f._at - 1, -1)],
    lambda _V, _x: _x || [list_sum([_o.weight * list_{{ "max" if match.sense > 0 else "min" }}(list_select(_V, _o.places))
        FOR _o IN _m.rolls]) / _m.sum FOR _m IN _f._hands] || _V[3:]) AS _V
FROM (
    SELECT _t.*, _b._values, {% for name, sql in (("u", given[mine]), ("at", given.turn_total)) %}
        list_position(_t._points, CAST({{ sql }} AS DOUBLE)) AS _{{ name }}{{ "," if loop.first }}{% endfor %}

    FROM data.{{ table.name }}_throws AS _t
    JOIN data.{{ table.name }}_banks AS _b
        ON {{ asked("_b", variant + names_of(match.record_columns).split() | reject("equalto", mine) | list, given) }}
    WHERE {{ asked("_t", variant, given) }}
) AS _f
WHERE _f._at + _f._u <= len(_f._points) + 1
{%- endmacro %}

{% macro mine_of(match) -%}{{ (match.record_columns | selectattr("unit", "equalto", "points") | first).name }}{%- endmacro %}

{# The ranked actions of a roll, and of positions inside a turn that follow from the starts of turns; `given` is the SQL of
each parameter, of the roll, and of each column of a position. Doubles make every sum safe from overflow.

_k  the action        _b  the row before the roll        _a  the row after keeping, if there is one #}
{% macro ways(table, given, rolls, starts) -%}
{% set match, variant = table.match_class, names_of(table.parameters).split() %}
{% set record = variant + names_of(match.record_columns).split() %}
{% set total = "CAST(" ~ given.turn_total ~ " AS DOUBLE)" %}
{% set ends = total ~ " + _k._gain >= CAST(" ~ given.target ~ " AS DOUBLE) - CAST(" ~ given[mine_of(match)] ~ " AS DOUBLE)" %}
{# Usually the end of a match has value 1: a win, or the turn that is counted. Actions with the same turn total, both
banked or rolled with equally many dice, differ only in name. If there is no row to look up, the row before stands in:
an outer join would hash the whole table. #}
{% set choices %}
{% if rolls %}
WITH _rows AS MATERIALIZED (
    SELECT _a.*, _a._value {{ "-" if match.sense > 0 else "+" }} _a._margin AS _other
    FROM {{ renamed("data." ~ table.name, record + ["turn_total", "dice", "value", "margin", "action"], "a") }}
    WHERE {{ asked("_a", record, given) }}
)
{% endif %}
SELECT k._number AS number, k._action AS action, CASE WHEN k._ends THEN 1e0 ELSE k._worth END AS q_value,
    CASE WHEN k._ends THEN '' ELSE k._leads_to END AS leads_to
FROM (
    {% if rolls %}
    SELECT _k._number, _k._action, _k._banks, _k._leads_to, {{ ends }} AS _ends,
        CASE WHEN _k._banks = (_a._action <> 'roll') THEN _a._value ELSE _a._other END AS _worth
    FROM data.{{ table.name }}_ways AS _k
    SEMI JOIN _rows AS _b ON _b._turn_total = {{ given.turn_total }} AND _b._dice = _k._rolled
    JOIN _rows AS _a ON _a._turn_total = CASE WHEN {{ ends }} THEN {{ total }} ELSE {{ total }} + _k._gain END
        AND _a._dice = CASE WHEN {{ ends }} THEN _k._rolled ELSE _k._after END
    WHERE {{ asked("_k", variant, given) }} AND _k._roll = {{ given.roll }} AND _k._units IS NULL
    {{ "UNION ALL" if starts }}
    {% endif %}
    {% if starts %}
    SELECT _k._number, _k._action, _k._banks, _k._leads_to, _g._at + _g._u + _k._units > len(_g._points) + 1 AS _ends,
        _g._V[_k._place] AS _worth
    FROM ({{ turn(table, given) }}) AS _g
    JOIN data.{{ table.name }}_ways AS _k ON {{ asked("_k", variant, given) }}
    {% if rolls %}
        AND _k._roll IS NOT DISTINCT FROM {{ given.roll }} AND coalesce(_k._rolled = {{ given.dice }}, _k._roll IS NOT NULL)
    {% endif %}
    WHERE list_contains(_g._hands[_k._from].reached, _g._at) AND (_g._at > 1 {{ "OR _k._roll IS NOT NULL" if rolls }})
    {% endif %}
) AS k
WHERE CASE WHEN k._banks THEN k._ends OR coalesce(isfinite(k._worth), false) ELSE NOT k._ends END
{% endset %}
{{ ranked(choices, [], tie, match.sense) }}
{%- endmacro %}

{# The ranked actions beyond the stored totals of a turn, by theorem: each value is linear in the total (BestTurn.lines). #}
{% macro beyond_actions(table, given, rest) -%}
{% set variant, total = names_of(table.parameters).split(), given[table.rules_class.total] %}
{% set choices %}
SELECT _f._number AS number, _f._action AS action, _f._slope * {{ total }} + _f._at_nought AS q_value,
    _f._slope || ' ' || _f._at_nought AS leads_to
FROM {{ renamed("data." ~ table.name ~ "_beyond",
    variant + rest + ["number", "action", "slope", "at_nought", "phase", "period", "unit", "last"], "f") }}
WHERE {{ asked("_f", variant, given) }} AND {{ total }} > _f._last AND {{ total }} < {{ 2 ** 53 }}
    AND {{ total }} % _f._unit = 0 AND {{ total }} % _f._period = _f._phase
    {% for name in rest %}AND _f."_{{ name }}" = {{ given[name] }}{% endfor %}

{% endset %}
{# Values in doubles tie if they differ by no more than rounding; equal lines tie exactly. #}
{{ ranked(choices, [], "4 * 2.3e-16 * abs(p.q_value)", table.match_class.sense) }}
{%- endmacro %}

{# The table macro `<table>_at`: one position in SQL, with ranked actions best first. States are given by position,
parameters by name: `pig_duel_at(30, 50, 20, target := 50)`; parameters left out are the paper's. If dice are kept,
`roll :=` may be given instead of `dice`. If there is no answer the macro raises an error, because an empty result would
look like one.

An argument may be a column of the caller, such as `me`, and is substituted as it stands: if the table has a column of
that name, it would be compared with itself, and silently return every row. So relations and columns that are compared
with arguments have names that no caller uses (`renamed`).

keys    the columns of a position, parameters first
given   the SQL of each column of a position, as stored, and of the roll
rolls   whether dice are kept
sheet   for a score sheet: (most dice, most rerolls)
starts  whether some variants are stored by the starts of turns
beyond  whether a theorem answers totals beyond the stored ones; a column then marks them #}
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
    || ': no such position, or not solved (view tables){{ "; give either dice or roll; where lost turns count, or the target does not end a match at once, ask lookup of rolls" if rolls }}{{ "; give both roll and rerolls_left, or neither" if sheet }}')
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
{% if sheet %}
UNION ALL FROM ({{ sheet_actions(table, given, *sheet) }})
{% endif %}
{% if rolls or starts %}
UNION ALL FROM ({{ ways(table, given, rolls, starts) }})
{% endif %}
) AS _all) AS _at ON {{ "(dice IS NULL) <> (roll IS NULL)" if rolls else "(roll IS NULL) = (rerolls_left IS NULL)" if sheet else "true" }}
{{ "ORDER BY optimal DESC, probability DESC, regret, action" if "optimal" in answers }}
{%- endmacro %}

{# The mean, standard deviation and median of each distribution over its last column. A sum of doubles reaches one half
only up to rounding. #}
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

{# The rows of a table with their variant's error bound. #}
{% macro bounded(table) -%}
SELECT t.*, c.error_bound
FROM data.{{ table.name }} AS t
JOIN (SELECT * FROM data.certificates WHERE "table" = '{{ table.name }}') AS c
    ON {% for p in table.parameters %}
CAST(c.parameters->>'{{ p.name }}' AS {{ "VARCHAR" if p.default is string else "INTEGER" }}) = t."{{ p.name }}"
{% if not loop.last %} AND {% endif %}{% endfor %}
{%- endmacro %}

{# A roll as tables write it: sorted digits, ignoring separators; other text is unchanged. #}
{% macro sorted_dice() -%}
CREATE MACRO sorted_dice(roll) AS
    CASE WHEN regexp_full_match(CAST(roll AS VARCHAR), '[][ ,;(){}-]*[0-9][][ ,;(){}0-9-]*')
        THEN list_aggregate(list_sort(string_split(translate(CAST(roll AS VARCHAR), ' ,;-[](){}', ''), '')), 'string_agg', '')
        ELSE CAST(roll AS VARCHAR) END
{%- endmacro %}

{# The folder of the opened catalogue, beside which DuckDB puts temporary files, as the beginning of a glob pattern. #}
{% macro results_folder() -%}
CREATE MACRO results_folder() AS regexp_replace(
    coalesce(getvariable('dicebase_results'), regexp_replace(current_setting('temp_directory'), '[^/\\]*$', '')),
    '([*?[])', '[\1]', 'g')
{%- endmacro %}
