"""Alterations of the first row of a table of cards, and what the certifier says about them."""

FAULTS = {
    "cost": (lambda row: row | {"cost": row["cost"] + 1e-10, "least_cost": row["cost"]}, "no card costs less"),
    "both": (lambda row: row | dict.fromkeys(("cost", "least_cost"), row["cost"] + 1e-10), "cost is .*, recomputed"),
    "worst": (lambda row: row | {"worst_case": row["worst_case"] + 1e-10}, "worst_case is .*, recomputed"),
    "card": (lambda row: row | {"card": row["card"].replace("at", "near")}, "or its words differ"),
    "proved": (lambda row: row | {"least_cost": 0.0}, "proved is True"),
}


def no_card(policy: str, message: str) -> dict:
    """The alteration `policy`: a policy that is no card, and the message about it."""
    return {"policy": (lambda row: row | {"policy": policy}, message)}
