"""The description of the service, its start page, and random questions made from the description."""

import re

from support.asgi import ask


def test_the_description_names_every_table_and_every_parameter(app, db):
    paths = ask(app, "/openapi.json").json()["paths"]
    assert paths.keys() == {"/v1/tables", *(f"/v1/{row['name']}" for row in db.tables())}
    pig = paths["/v1/pig_turn"]["get"]
    assert [(p["name"], p["schema"]["type"]) for p in pig["parameters"]] == [
        ("turn_total", "integer"),
        ("sides", "integer"),
        ("dice", "integer"),
    ]
    assert all(p["description"] for path in paths.values() for p in path["get"]["parameters"])
    assert all("post" in of for path, of in paths.items() if path != "/v1/tables")
    assert pig["parameters"][2]["schema"] == {"type": "integer", "default": 1, "minimum": 1, "maximum": 2}


def test_the_start_page_links_to_an_answer_of_every_table(app, db):
    page = ask(app, "/")
    assert page.headers["Content-Type"].startswith("text/html") and "<script" not in page.text
    links = [link.replace("&amp;", "&") for link in re.findall(r'href="([^"]+)"', page.text)]
    assert len(links) == 3 + len({row["name"] for row in db.tables()})
    for link in links:
        assert ask(app, f"/{link}").status_code == 200


def test_questions_that_fit_the_description_get_answers_that_fit(app):
    import schemathesis
    from schemathesis.config import SchemathesisConfig
    from schemathesis.engine import from_schema

    schema = schemathesis.openapi.from_asgi("/openapi.json", app, config=SchemathesisConfig(seed=1))
    schema.validate()
    schema = schema.exclude(method="POST")  # the description allows any names in its positions
    generation = schema.config.generation
    generation.max_examples, generation.deterministic, generation.database = 30, True, "none"
    asked, problems, answered = 0, [], set()
    for event in from_schema(schema).execute():
        if "Error" in type(event).__name__:
            problems.append(event)
        for key, case in event.recorder.interactions.items() if hasattr(event, "recorder") else ():
            asked += 1
            answered.add(case.response.status_code)
            found = [c.failure_info.failure for c in event.recorder.checks.get(key, ()) if c.failure_info]
            problems += [(event.recorder.label, case.request.uri, str(failure)) for failure in found]
    assert not problems
    assert asked > 300 and answered >= {200, 404, 405, 422}
