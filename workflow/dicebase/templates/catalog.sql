{# The views and macros of the catalogue. The first ones compute decisions from stored rows, as tables/follow does: they
rank actions, place a roll (placements.py) and keep dice (keeps.py). In a DuckDB macro a bare name means the argument of
that name, so every column here is qualified by its relation; `at` explains the names that start with underscores. #}

{% macro columns(relation, names) -%}
{% for name in names %}{{ relation }}."{{ name }}"{% if not loop.last %}, {% endif %}{% endfor %}
{%- endmacro %}

{# Condition: two relations are equal in these columns. #}
{% macro same(one, other, names) -%}
{% for name in names %}{{ one }}."{{ name }}" = {{ other }}."{{ name }}"{% if not loop.last %} AND {% endif %}{% endfor %}
{%- endmacro %}

{# A relation with columns renamed to _<relation>."_<column>", which no caller uses. #}
{% macro renamed(source, names, relation) -%}
(SELECT {% for name in names %}r."{{ name }}" AS "_{{ name }}"{% if not loop.last %}, {% endif %}{% endfor %}
 FROM {{ source }} AS r) AS _{{ relation }}
{%- endmacro %}

{# Rank `choices`: add the columns ANSWERS. At each position the actions within the tolerance of the best are optimal;
the policy takes the first of them; they are undecided if they lead to different successors.

choices    a query with the columns of `position` and action, q_value, number (in the game's order) and leads_to
tolerance  SQL over the relation p        sense  1: more is better, -1: less is better
certain    whether q-values are probabilities, so that 0 and 1 are exact #}
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

{# The rows of `<table>_actions` of states with at most two actions, computed from the state's row. Both actions are
optimal in a tie, proved or not. `source` is the table, or a relation with its columns, to whose names `before` is added. #}
{% macro two_actions(table, keys, source, before="") -%}
{% set action, value, margin = "s." ~ before ~ "action", "s." ~ before ~ "value", "s." ~ before ~ "margin" %}
SELECT {% for name in keys %}s."{{ before }}{{ name }}" AS "{{ name }}", {% endfor %}
    CASE WHEN c.best = ({{ action }} = 'roll') THEN 'roll' ELSE '{{ table.rules_class.stop }}' END AS action,
    CASE WHEN c.best THEN {{ value }} ELSE {{ value }} {{ "-" if table.match_class.sense > 0 else "+" }} {{ margin }} END AS q_value,
    CASE WHEN c.best THEN 0e0 ELSE {{ margin }} END AS regret, CASE WHEN c.best THEN 1e0 ELSE 0e0 END AS probability,
    c.best OR {{ margin }} <= {{ tie }} AS optimal, coalesce({{ margin }} <= {{ tie }}, false) AS undecided
FROM {{ source }} AS s CROSS JOIN (VALUES (true), (false)) AS c(best)
WHERE c.best OR {{ margin }} IS NOT NULL
{%- endmacro %}

{# The columns of an action as stored, in few bytes: `top`, the best q-value, which all rows of a state share; the regret
only if it is not the difference to `top`; and `probability`, the SQL of the stored probability.

DuckDB reverses the entries of EXCLUDE (a, b) and REPLACE (a, b) each time it rewrites a stored view or macro. Views and
macros therefore have at most one entry, so that their text stays the same. #}
{% macro packed(table, probability) -%}
* REPLACE ({% if probability %}{{ probability }} AS probability, {% endif %}
    nullif(regret, abs({{ top(table) }} - q_value)) AS regret), {{ top(table) }} AS top
{%- endmacro %}

{# The columns of an action, from the relation a of `packed` rows. #}
{% macro unpacked(names) -%}
{% for name in names %}{{ {"regret": "coalesce(a.regret, abs(a.top - a.q_value)) AS regret",
    "probability": "CAST(a.probability AS DOUBLE) AS probability"}.get(name, 'a."' ~ name ~ '"') }}
{%- if not loop.last %}, {% endif %}{% endfor %}
{%- endmacro %}

{% macro top(table) -%}(q_value {{ "+" if table.match_class.sense > 0 else "-" }} regret){%- endmacro %}

{% macro names_of(columns) -%}{{ columns | map(attribute="name") | join(" ") }}{%- endmacro %}

{# A row for each position and slot with its q-value: the slot's score plus the stored value of the successor.

v  the stored row of a position        g  a placement of the roll in a slot        w  the stored row of the successor #}
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

{# The rows of `<table>_actions` of tables or variants with too many decisions to store. Probabilities of 0 and 1 are
exact; other values within the tolerance count as tied. #}
{% macro placements(table) -%}
{{ ranked(placed(table), position_of(table).split(), "p.tolerance", certain=table.followed.value.unit == "probability") }}
{%- endmacro %}

{# The computed rows of `<table>`: the actions that `ranked` takes, with their margins. GROUP BY needs a fraction of the
time and memory of the windows in `ranked`. #}
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

{# Condition: the columns of a `renamed` relation equal the question; `given` has the SQL of each. #}
{% macro asked(relation, columns, given) -%}
{% for name in columns %}{{ relation }}."_{{ name }}" = {{ given[name] }}{% if not loop.last %} AND {% endif %}{% endfor %}
{%- endmacro %}

{# The rows of `<table>` or `<table>_actions` of a score sheet: the starts of turns, where the only action is to roll. #}
{% macro starts(table, actions=false) -%}
SELECT {{ columns("s", names_of(table.parameters).split() + names_of(table.followed.columns).split()) }},
{% if actions %}
'roll' AS action, s.value AS q_value, 0e0 AS regret, 1e0 AS probability, true AS optimal, false AS undecided
{% else %}
s.value, 'roll' AS action, CAST(NULL AS DOUBLE) AS margin
{% endif %}
FROM data.{{ table.name }}_values AS s
{%- endmacro %}

{# The sheet of a variant with `_card`, the open boxes as a bit mask, read from a number or from words. #}
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

{# The ranked actions after a roll on a score sheet, computed as in follow/sheets.py; lists count from 1.

_s  the sheet    _e  the ways to score a roll in a box    _v  the row of the card afterwards    _q  their q-values
_W  the value of each set of dice, with as many rerolls left as there were iterations #}
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
{# A sheet with fewer dice than the largest has fewer levels. #}
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

{# The rest of a turn from a position, for a variant stored by the starts of turns (follow/turns.py): one row, or none if
the variant stores all positions. Planning a function call costs as much as planning a scan, so indices and names are
stored in lists. Stored columns have the names that `renamed` gives.

_u, _at   indices of the mover's points and of the turn total in the list of points
_V        value of a bust; of a wipe; then for each total from this one on: of banking, of rolling; from the total that
          ends the turn on, all of them are values of banking

_t  the rolls of the turn    _b  the values of the starts that follow #}
{% macro turn(table, given) -%}
{% set match, variant = table.match_class, names_of(table.parameters).split() %}
{% set mine, record = mine_of(match), names_of(match.record_columns).split() %}
SELECT _f._reached, _f._at, _f._totals + 1 - _f._at - _f._u AS _left,
    _f._wins{{ " OR " ~ given.opponent ~ " >= " ~ given.target if "opponent" in record }} AS _over,
    list_reduce([[_f._values[_f._u], _f._values[1]] || list_select(_f._values[_f._totals + 1:], _f._tail)] || [
        [_f._values[_f._u], _f._values[1], CASE WHEN _i BETWEEN 2 AND CASE WHEN _f._u = 1 THEN _f._opening ELSE _f._least END
            THEN CAST('{{ "-" if match.sense > 0 }}inf' AS DOUBLE) ELSE _f._values[_f._u + _i - 1] END]
        FOR _i IN range(_f._totals - _f._u + 1, _f._at - 1, -1)],
    lambda _V, _x: _x || [list_sum([_o.weight * list_{{ "max" if match.sense > 0 else "min" }}(list_select(_V, _o.places))
        FOR _o IN _m.rolls]) / _m.sum FOR _m IN _f._hands] || _V[3:]) AS _V
FROM (
    SELECT _t._hands, _t._reached, _t._tail, _t._wins, _t._opening, _t._least, _b._totals, _b._values,
        {% for name, sql in (("u", given[mine]), ("at", given.turn_total)) %}
        list_position(_t._points, CAST({{ sql }} AS DOUBLE)) AS _{{ name }}{{ "," if loop.first }}
        {% endfor %}
    FROM data.{{ table.name }}_throws AS _t
    JOIN data.{{ table.name }}_banks AS _b
        ON {{ asked("_b", variant + record | reject("equalto", mine) | list, given) }}
    WHERE {{ asked("_t", variant, given) }}
) AS _f
WHERE _f._at + _f._u <= _f._totals + 1 AND CAST({{ given[mine] }} AS DOUBLE) < CAST({{ given.target }} AS DOUBLE)
{%- endmacro %}

{% macro mine_of(match) -%}{{ (match.record_columns | selectattr("unit", "equalto", "points") | first).name }}{%- endmacro %}

{# The rows of the turn of a question, which both kinds of answers from rows read: scans of files are slow to plan. #}
{% macro rows_of_turn(table, keys, given) -%}
{% set record = names_of(table.parameters).split() + names_of(table.match_class.record_columns).split() %}
WITH _rows AS MATERIALIZED (
    SELECT _a.* FROM {{ renamed("data." ~ table.name, keys + ["value", "margin", "action"], "a") }}
    WHERE {{ asked("_a", record, given) }}
)
{%- endmacro %}

{# The ranked actions after a roll, and those inside a turn that are computed from the starts of turns; `given` has the
SQL of each parameter, of the roll, and of each state column. Sums are doubles, so that no question overflows them.

_k  an action        _b  the row before the roll        _a  the row after keeping, if there is one #}
{% macro ways(table, given, rolls, starts) -%}
{% set match, variant = table.match_class, names_of(table.parameters).split() %}
{% set record = variant + names_of(match.record_columns).split() %}
{% set total = "CAST(" ~ given.turn_total ~ " AS DOUBLE)" %}
{% set ends = total ~ " + _k._gain >= CAST(" ~ given.target ~ " AS DOUBLE) - CAST(" ~ given[mine_of(match)] ~ " AS DOUBLE)" %}
{# An action that ends the match has the value 1: a win, or the one turn that it counts. If the opponent has a last turn,
the stored values of banking go beyond the target. Actions that bank the same total, roll as many dice at the same total
or end the match with the same value lead to the same successor. If an action ends the match, the row before the roll
takes the place of its successor, because an outer join would hash the whole table. #}
{% set choices %}
{% if rolls %}
SELECT k._number AS number, k._action AS action, k._worth AS q_value, k._leads_to AS leads_to
FROM (
    SELECT _k._number, _k._action, CASE WHEN {{ ends }} THEN '' ELSE _k._leads_to END AS _leads_to,
        CASE WHEN {{ ends }} THEN 1e0 WHEN _k._banks = (_a._action <> 'roll') THEN _a._value
            ELSE _a._value {{ "-" if match.sense > 0 else "+" }} _a._margin END AS _worth
    FROM data.{{ table.name }}_ways AS _k
    SEMI JOIN _rows AS _b ON _b._turn_total = {{ given.turn_total }} AND _b._dice = _k._rolled
    JOIN _rows AS _a ON _a._turn_total = CASE WHEN {{ ends }} THEN {{ total }} ELSE {{ total }} + _k._gain END
        AND _a._dice = CASE WHEN {{ ends }} THEN _k._rolled ELSE _k._after END
    WHERE {{ asked("_k", variant, given) }} AND _k._roll = {{ given.roll }} AND _k._units IS NULL
        AND (_k._banks OR NOT {{ ends }})
) AS k
WHERE k._worth IS NOT NULL
{{ "UNION ALL" if starts }}
{% endif %}
{% if starts %}
SELECT _k._number AS number, _k._action AS action, _g._V[_k._place] AS q_value,
    CASE WHEN _k._units > _g._left AND _g._over THEN '' ELSE _k._leads_to END AS leads_to
FROM ({{ turn(table, given) }}) AS _g
JOIN data.{{ table.name }}_ways AS _k ON {{ asked("_k", variant, given) }}
{% if rolls %}
    AND _k._roll IS NOT DISTINCT FROM {{ given.roll }} AND coalesce(_k._rolled = {{ given.dice }}, _k._roll IS NOT NULL)
{% endif %}
WHERE list_contains(_g._reached[_k._from], _g._at) AND (_g._at > 1 {{ "OR _k._roll IS NOT NULL" if rolls }})
    AND _k._units > _g._left IS DISTINCT FROM _k._unless AND isfinite(_g._V[_k._place])
{% endif %}
{% endset %}
{{ ranked(choices, [], tie, match.sense) }}
{%- endmacro %}

{# The ranked actions past the stored totals of a turn. By the theorem each q-value is linear in the total (BestTurn.lines).
Integers over one denominator are ranked without rounding, as lookups rank them; a quotient of integers below 2^53 has one
rounding. #}
{% macro beyond_actions(table, given, rest) -%}
{% set variant, total = names_of(table.parameters).split(), given[table.rules_class.total] %}
{% set choices %}
SELECT _f._number AS number, _f._action AS action, _f._slope * TRY_CAST({{ total }} AS HUGEINT) + _f._at_nought AS q_value,
    '' AS leads_to, _f._denominator AS denominator
FROM {{ renamed("data." ~ table.name ~ "_beyond",
    variant + rest + ["number", "action", "slope", "at_nought", "denominator", "phase", "period", "unit", "last"], "f") }}
WHERE {{ asked("_f", variant, given) }} AND {{ total }} > _f._last AND {{ total }} < {{ 2 ** 53 }}
    AND {{ total }} % _f._unit = 0 AND {{ total }} % _f._period = _f._phase
    {% for name in rest %}AND _f."_{{ name }}" = {{ given[name] }}{% endfor %}

{% endset %}
SELECT p.action, p.q_value / p.denominator AS q_value, p.regret / p.denominator AS regret, p.probability, p.optimal, p.undecided
FROM ({{ ranked(choices, ["denominator"], "0", table.match_class.sense) }}) AS p
{%- endmacro %}

{# The table macro `<table>_at` answers one position, best action first. State columns are positional arguments,
parameters are named and optional: `pig_duel_at(30, 50, 20, target := 50)`. If the player keeps dice, `roll :=` may
replace `dice`. Without an answer the macro raises an error, because an empty result would look like one.

DuckDB pastes arguments into the body. An argument that is the caller's column `me` would be compared with the table's
own column `me`, that is with itself, and every row returned. Wherever arguments are compared, relations and columns
therefore have names that no caller uses (`renamed`).

keys    the columns of a position, parameters first
given   the SQL of each column of a position, as stored, and of the roll
rolls   whether the player keeps dice        starts  whether variants are stored by the starts of turns
sheet   for score sheets: (most dice, most rerolls)
beyond  whether a theorem answers past the stored totals; then a column `beyond` says so #}
{% macro at(table, keys, source, answers, given, rolls=false, starts=false, beyond=false, sheet=none, defaults={}) -%}
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
{{ comma() }}"{{ p.name }}" := {{ literal(defaults[p.name]) }}
{% endfor %}
) AS TABLE
{{ rows_of_turn(table, keys, given) if rolls }}
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

{# Mean, standard deviation, median and percentiles of each distribution, over its last key column. The slack 1e-12
covers the rounding of cumulated probabilities that are exactly one half or another percentile. #}
{% macro summary(name, group, x, percentiles) -%}
{% set by = '"' ~ group | join('", "') ~ '"' if group else "" %}
{% set columns = by ~ ", " if group else "" %}
CREATE VIEW {{ name }}_summary AS
WITH moments AS (
    SELECT {{ columns }}sum("{{ x }}" * probability) AS mean FROM data.{{ name }} GROUP BY ALL
), cumulated AS (
    SELECT *, sum(probability) OVER ({{ "PARTITION BY " ~ by if group }} ORDER BY "{{ x }}") AS up_to FROM data.{{ name }}
)
SELECT {{ columns }}any_value(mean) AS mean, sqrt(sum(probability * ("{{ x }}" - mean) ** 2)) AS standard_deviation,
    min("{{ x }}") FILTER (up_to >= 0.5 - 1e-12) AS median, min("{{ x }}") AS least, max("{{ x }}") AS greatest,
    {% for percent in percentiles %}
    min("{{ x }}") FILTER (up_to >= {{ percent }} * 1e-2 - 1e-12) AS percentile_{{ percent }}{{ "," if not loop.last }}
    {% endfor %}
FROM cumulated {{ "JOIN moments USING (" ~ by ~ ")" if group else "CROSS JOIN moments" }}
GROUP BY ALL
{{ "ORDER BY " ~ by if group }}
{%- endmacro %}

{# The rows of a table with the error bound of their variant. #}
{% macro bounded(table) -%}
SELECT t.*, c.error_bound
FROM data.{{ table.name }} AS t
JOIN (SELECT * FROM data.certificates WHERE "table" = '{{ table.name }}') AS c
    ON {% for p in table.parameters %}
CAST(c.parameters->>'{{ p.name }}' AS {{ "VARCHAR" if p.default is string else "INTEGER" }}) = t."{{ p.name }}"
{% if not loop.last %} AND {% endif %}{% else %}TRUE{% endfor %}
{%- endmacro %}

{# A roll as the tables write it: its digits sorted, without separators; other text is unchanged. #}
{% macro sorted_dice() -%}
CREATE MACRO sorted_dice(roll) AS
    CASE WHEN regexp_full_match(CAST(roll AS VARCHAR), '[][ ,;(){}-]*[0-9][][ ,;(){}0-9-]*')
        THEN list_aggregate(list_sort(string_split(translate(CAST(roll AS VARCHAR), ' ,;-[](){}', ''), '')), 'string_agg', '')
        ELSE CAST(roll AS VARCHAR) END
{%- endmacro %}

{# The results folder as a prefix of a glob pattern: the variable dicebase_results, or the folder of the opened file. #}
{% macro results_folder() -%}
CREATE MACRO results_folder() AS regexp_replace(
    coalesce(getvariable('dicebase_results'), regexp_replace(current_setting('temp_directory'), '[^/\\]*$', '')),
    '([*?[])', '[\1]', 'g')
{%- endmacro %}
