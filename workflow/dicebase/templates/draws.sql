{# The views and the macro of a draw game, which compute the value of each hold as hand_classes.py does. Names
begin with an underscore, because in a DuckDB macro a bare name means the argument of that name. A card is a number:
13 * suit + rank, both from 0. #}

{% macro listed(relation, names) -%}
{% for name in names %}{{ relation }}."_{{ name }}"{% if not loop.last %}, {% endif %}{% endfor %}
{%- endmacro %}

{% macro card(number) -%}('23456789TJQKA'[{{ number }} % 13 + 1] || 'cdhs'[{{ number }} // 13 + 1]){%- endmacro %}

{# The hands of the stored rows, highest card first. #}
{% macro dealt(table, variant) -%}
SELECT {% for name in variant %}_s."{{ name }}" AS "_{{ name }}", {% endfor %}
    array_to_string([{{ card("_c") }} FOR _c IN _s._cards], ' ') AS _hand, _s.deals AS _deals, _s._cards,
    [{{ card("_c") }} FOR _c IN _s._cards] AS _named
FROM (
    SELECT _s.*, [13 * (3 - _i % 4) + 12 - _i // 4 FOR _i IN range(52)
        IF ([_s.suit_4, _s.suit_3, _s.suit_2, _s.suit_1][4 - _i % 4] >> (12 - _i // 4)) & 1 = 1] AS _cards
    FROM data.{{ table.name }}_values AS _s
    WHERE bit_count(_s.suit_1) + bit_count(_s.suit_2) + bit_count(_s.suit_3) + bit_count(_s.suit_4) = 5
) AS _s
{%- endmacro %}

{# The hand of a question. Its cards are ordered as `dealt` orders those of the row: by rank, then by the other ranks of
the suit. `_named` has them in the order of the question, in which actions name them. #}
{% macro asked(table, variant) -%}
SELECT {{ listed("_h", variant) }}, _h._said AS _hand, 1 AS _deals, _h._named,
    [_x % 4 * 13 + (_x >> 15) FOR _x IN list_reverse_sort([((_c % 13) << 15) + (CAST(list_sum(
        [1 << (_d % 13) FOR _d IN _h._all IF _d // 13 = _c // 13]) AS BIGINT) << 2) + _c // 13 FOR _c IN _h._all])] AS _cards
FROM (
    SELECT _h.*, [{{ card("_c") }} FOR _c IN _h._all] AS _named
    FROM (
        SELECT _h.*, CASE WHEN regexp_full_match(_h._upper, '\s*([2-9TJQKA][CDHS][\s,;]*){5}')
                AND len(list_distinct(regexp_extract_all(_h._upper, '[2-9TJQKA][CDHS]'))) = 5
            THEN [strpos('CDHS', _t[2]) * 13 + strpos('23456789TJQKA', _t[1]) - 14
                FOR _t IN regexp_extract_all(_h._upper, '[2-9TJQKA][CDHS]')]
            ELSE error('{{ table.name }}_at: hand: ' || _h._said || ' is not five different cards, such as Jh Jd 4s 7c 2d')
            END AS _all
        FROM (
            SELECT {% for name in variant %}"{{ name }}" AS "_{{ name }}", {% endfor %} CAST("hand" AS VARCHAR) AS _said,
                translate(upper(replace(CAST("hand" AS VARCHAR), '10', 'T')), '♣♦♥♠', 'CDHS') AS _upper
            FROM (VALUES (0)) AS _o
        ) AS _h
    ) AS _h
) AS _h
{%- endmacro %}

{# For each of `hands`, the values of all holds in the game's order, and the best one. The cards held are looked up by the
ranks in each suit, in falling order. #}
{% macro valued(table, hands, variant) -%}
SELECT _q.*, list_max(_q._values) AS _best
FROM (
    SELECT {{ listed("_g", variant) }}, _g._hand, any_value(_g._deals) AS _deals, any_value(_g._named) AS _named,
        any_value(_g._cards) AS _cards, list(list_dot_product(_g._sums, _m.signs) / _m.draws ORDER BY _m.number) AS _values
    FROM (
        SELECT {{ listed("_k", variant) }}, _k._hand, any_value(_k._deals) AS _deals, any_value(_k._named) AS _named,
            any_value(_k._cards) AS _cards, list(_v.value ORDER BY _k._number) AS _sums
        FROM (
            SELECT _k.*, greatest(_k._p, _k._r) AS _1, greatest(least(_k._p, _k._r), greatest(_k._q, _k._s)) AS _2,
                least(least(_k._p, _k._r), greatest(_k._q, _k._s)) AS _3, least(_k._q, _k._s) AS _4
            FROM (
                SELECT _k.*, greatest(_k._bits & 8191, (_k._bits >> 13) & 8191) AS _p,
                    least(_k._bits & 8191, (_k._bits >> 13) & 8191) AS _q,
                    greatest((_k._bits >> 26) & 8191, _k._bits >> 39) AS _r,
                    least((_k._bits >> 26) & 8191, _k._bits >> 39) AS _s
                FROM (
                    SELECT _h.*, _m.number AS _number,
                        {% for i in range(1, 6) %}_m.held[{{ i }}] * (CAST(1 AS BIGINT) << _h._cards[{{ i }}]){{ " + " if not loop.last }}{% endfor %} AS _bits
                    FROM ({{ hands }}) AS _h
                    JOIN data.{{ table.name }}_holds AS _m ON {% for name in variant %}_m."{{ name }}" = _h."_{{ name }}"{{ " AND " if not loop.last }}{% endfor %}

                ) AS _k
            ) AS _k
        ) AS _k
        JOIN data.{{ table.name }}_values AS _v ON {% for name in variant %}_v."{{ name }}" = _k."_{{ name }}" AND {% endfor %}
            _v.suit_1 = _k._1 AND _v.suit_2 = _k._2 AND _v.suit_3 = _k._3 AND _v.suit_4 = _k._4
        GROUP BY {{ listed("_k", variant) }}, _k._hand
        HAVING count(*) = 32
    ) AS _g
    JOIN data.{{ table.name }}_holds AS _m ON {% for name in variant %}_m."{{ name }}" = _g."_{{ name }}"{{ " AND " if not loop.last }}{% endfor %}

    GROUP BY {{ listed("_g", variant) }}, _g._hand
) AS _q
{%- endmacro %}

{# The text of the hold with this number, for a row of `valued`. #}
{% macro named(table, hold) -%}
coalesce(nullif(array_to_string([_n FOR _n IN _q._named IF list_contains([
    {%- for i in range(1, 6) %}CASE WHEN {{ hold }}.held[{{ i }}] = 1 THEN {{ card("_q._cards[" ~ i ~ "]") }} END{{ ", " if not loop.last }}{% endfor %}
], _n)], ' '), ''), '{{ nothing }}')
{%- endmacro %}

{% macro states(table, variant) -%}
SELECT {% for name in variant %}_q."_{{ name }}" AS "{{ name }}", {% endfor %}_q._hand AS hand, _q._best AS value,
    {{ named(table, "_m") }} AS action, _q._best - list_reverse_sort(_q._values)[2] AS margin, _q._deals AS deals
FROM ({{ valued(table, dealt(table, variant), variant) }}) AS _q
JOIN data.{{ table.name }}_holds AS _m ON {% for name in variant %}_m."{{ name }}" = _q."_{{ name }}" AND {% endfor %}
    _m.number = list_position(_q._values, _q._best)
{%- endmacro %}

{# Quotients of equal rationals are equal doubles, so ties are proved. #}
{% macro actions(table, variant, hands) -%}
SELECT {% for name in variant %}_q."_{{ name }}" AS "{{ name }}", {% endfor %}_q._hand AS hand, {{ named(table, "_m") }} AS action,
    _q._values[_m.number] AS q_value, _q._best - _q._values[_m.number] AS regret,
    CAST(_m.number = list_position(_q._values, _q._best) AS DOUBLE) AS probability,
    _q._best = _q._values[_m.number] AS optimal, false AS undecided
FROM ({{ valued(table, hands or dealt(table, variant), variant) }}) AS _q
JOIN data.{{ table.name }}_holds AS _m ON {% for name in variant %}_m."{{ name }}" = _q."_{{ name }}"{{ " AND " if not loop.last }}{% endfor %}
{%- endmacro %}

{# `<table>_at` takes a hand as people write it; see `at` in catalog.sql. #}
{% macro at(table, variant, answers) -%}
CREATE MACRO {{ table.name }}_at("hand"{% for p in table.parameters %}, "{{ p.name }}" := '{{ p.default }}'{% endfor %}) AS TABLE
SELECT CASE WHEN _a.action IS NULL THEN error(concat_ws(' ', '{{ table.name }}_at: no decision at hand=' || "hand"
    {%- for name in variant %}, '{{ name }}=' || "{{ name }}"{% endfor %}) || ': not in this deck, or not solved (view tables)')
    ELSE _a.action END AS action{% for name in answers[1:] %}, _a."{{ name }}"{% endfor %}

FROM (VALUES (0)) AS _o LEFT JOIN ({{ actions(table, variant, asked(table, variant)) }}) AS _a ON true
ORDER BY _a.optimal DESC, _a.probability DESC, _a.regret, _a.action
{%- endmacro %}
