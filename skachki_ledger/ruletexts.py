"""What every rule says, in words that settle a dispute at the table.

docs/rules.md has the same rules with examples; where a switch decides, the text says what each of its
values does. Sources are named as in rules.py.
"""

from typing import NamedTuple

from .i18n import N_


class RuleText(NamedTuple):
    """What a rule says, where it comes from, which switches decide it."""

    text: str
    source: str
    switches: tuple[str, ...] = ()


RULES: dict[str, RuleText] = {
    "game.made": RuleText(
        N_(
            "A declarer who takes at least what he bid writes the price of the contract in his pool: 2, 4, "
            "6, 8 or 10 for a six to a ten. Tricks over that bring nothing. If anyone whisted, the price "
            "cannot be written off the gora."
        ),
        N_("base"),
    ),
    "game.set": RuleText(
        N_(
            "A set declarer writes gora for every trick he lacks: 4 on a six, 8 on a seven, 12 on an "
            "eight, 16 on a nine, 20 on a ten. What doubles the whists on him does not double this gora."
        ),
        N_("base"),
    ),
    "whist.tricks": RuleText(
        N_(
            "A defenders' trick is worth 4, 8, 12, 16 or 20 whists on the declarer, for a six to a ten, "
            "before any doubling. Two whisters write their own tricks each. A lone whister writes the "
            "passer's tricks too when the contract is made, and the passer nothing, unless "
            "gentleman_on_made = yes."
        ),
        N_("base"),
        ("gentleman_on_made",),
    ),
    "whist.gentleman": RuleText(
        N_(
            "When one defender whisted, the other passed and the contract is set, the whists for all the "
            "tricks of the two are split in half between them, whoever took the tricks. A made contract is "
            "shared in this way only with gentleman_on_made = yes. Whoever took his whist back from a "
            "half-whister never shares it."
        ),
        "P, G, H",
        ("gentleman_on_made",),
    ),
    "whist.consolation": RuleText(
        N_(
            "For every undertrick of a set declarer both defenders and the dealer each write the whists of "
            "one more trick on him: 4, 8, 12, 16 or 20 by level, before any doubling. With "
            "consolation_dealer = no the dealer writes none; a half-whister never does."
        ),
        N_("base"),
        ("consolation_dealer",),
    ),
    "whist.set-double": RuleText(
        N_(
            "When the contract is set, every whist written on the declarer in that deal counts twice, for "
            "tricks as well as for consolation; his gora does not. With set_whist_scope = consolation the "
            "trick whists stay single, with set_whist_factor = 1 nothing is doubled."
        ),
        N_("P, G, H; tricks: fill"),
        ("set_whist_factor", "set_whist_scope"),
    ),
    "whist.short": RuleText(
        N_(
            "The pair owes 4 tricks on a six, 2 on a seven, 1 on an eight to a ten; a missing trick costs "
            "2, 4, 6, 8 or 10 gora by level, and a lone whister pays for all of them. Two whisters on a "
            "six or seven owe half each, 2 tricks or 1, and neither pays for more than the pair lacks. Two "
            "whisters who took nothing on an eight to a ten pay by two_whisters_high – split: 3, 4 or 5 "
            "each; each: 6, 8 or 10 each; second: that much, the second alone."
        ),
        N_("P, G, H; amounts: base"),
        ("two_whisters_high",),
    ),
    "game.unwhisted": RuleText(
        N_(
            "If both defenders pass, the contract is made without play and no tricks are recorded: 2, 4, "
            "6, 8 or 10 in the declarer's pool. On the levels in unwhisted_choice he may take twice that "
            "off his gora instead: 4, 8, 12, 16 or 20."
        ),
        N_("P, H: 8, 9, 10; G: 6–10 (amount: fill)"),
        ("unwhisted_choice",),
    ),
    "whist.half": RuleText(
        N_(
            "On a six or seven, after the first defender's pass, the second may leave for half where "
            "half_whist = yes: the declarer writes his pool, the half-whister 8 whists on him, and nothing "
            "is played; this is no whisted deal. If the first takes the whist back, he plays alone: all "
            "trick whists, made or set, and any shortage are his, and the half-whister writes nothing. On "
            "a set contract the first writes consolation too, and so does the dealer unless "
            "consolation_dealer = no."
        ),
        N_("base; not whisted: fill"),
        ("half_whist", "consolation_dealer"),
    ),
    "whist.stalingrad": RuleText(
        N_(
            "A six of spades must be whisted. With stalingrad = both by both defenders; with one by at "
            "least one of them, so that it can neither be passed out nor be left for half; with off it is "
            "a six like any other."
        ),
        N_("P, G, H; by both: fill"),
        ("stalingrad",),
    ),
    "game.ten": RuleText(
        N_(
            "A ten is whisted like every other contract, not merely checked: 10 in the pool, 20 whists for "
            "a defenders' trick before any doubling, 20 gora for an undertrick. The pair owes one trick."
        ),
        "P, G, H",
    ),
    "game.no-concession": RuleText(
        N_(
            "Nobody may give a contract up as «without three, without whists». It is played out, or the "
            "table agrees on the tricks of each side, and these are scored as if they had been played."
        ),
        "P, G, H",
    ),
    "misere.made": RuleText(
        N_(
            "A misère without a trick is 10 in the declarer's pool. With misere_choice = yes he may take "
            "20 off his gora instead."
        ),
        N_("base; choice: P, H"),
        ("misere_choice",),
    ),
    "misere.caught": RuleText(
        N_(
            "Every trick on a misère costs the declarer 20 gora. Nobody writes whists or consolation on "
            "him, since a misère is never whisted. The next deal has to be an all-pass."
        ),
        N_("base"),
    ),
    "allpass.tricks": RuleText(
        N_(
            "At an all-pass every trick costs the seat that took it the price of the all-pass in gora, "
            "from the first trick on. The dealer leads the talon's two cards to the first two tricks, so "
            "he takes no more than two. All four together take ten."
        ),
        N_("base"),
    ),
    "allpass.clean": RuleText(
        N_(
            "Whoever takes no trick at an all-pass chooses: the price of one trick in the pool, or of two "
            "off the gora – at 4 that is 4 in the pool or 8 off the gora. A clean dealer has the same "
            "choice; with dealer_clean = no he writes nothing."
        ),
        N_("P, H; G (amounts: fill); dealer: G, else fill"),
        ("dealer_clean",),
    ),
    "allpass.price": RuleText(
        N_(
            "The first all-pass costs 2 gora a trick, the second 4, the third and all later ones 6. The "
            "count starts over at 2 after an exit and in a new semester. A forced all-pass has a price of "
            "its own."
        ),
        N_("P, H; G: fill"),
    ),
    "allpass.opening": RuleText(
        N_(
            "The first deal of each semester has to be an all-pass, at 2 gora a trick. No contract and no "
            "misère can be played before it."
        ),
        "P, G, H",
    ),
    "allpass.forced": RuleText(
        N_(
            "After a caught misère, or a contract listed in forced_after that had outbid a misère and was "
            "set, the next deal has to be an all-pass: at 2 for one trick or undertrick, 4 for two, 6 for "
            "three and more. With forced_price = literal that is its price even where the running one is "
            "higher; with max it is never below the running one. The progression does not step back: the "
            "all-pass after it costs the old running price or one step above the forced one, whichever is "
            "more, and 6 at most."
        ),
        N_("P, H: 9, 10; G: 9; no step back: fill"),
        ("forced_after", "forced_price"),
    ),
    "allpass.exit": RuleText(
        N_(
            "Once an all-pass was played or is due, it stays open until a contract is whisted and made, a "
            "whist taken back from a half-whister included; then the price is back at 2. A misère, an "
            "unwhisted contract, one left for half and a set one are no exit, and the running price stays "
            "as it was."
        ),
        "P, G, H",
    ),
    "allpass.hard-exit": RuleText(
        N_(
            "While the all-pass is open, no contract below min_exit_level may be played: a seven unless "
            "the table agreed on 6 or 8. A misère may be bid all the same. After the exit sixes are free "
            "again."
        ),
        N_("P; H: first contract; else base"),
        ("min_exit_level",),
    ),
    "gora.negative": RuleText(
        N_(
            "Gora written off goes below zero where there is not enough of it. A negative gora is the "
            "lower one for the prizes and counts as it stands in the settlement."
        ),
        N_("base"),
    ),
    "deal.rotation": RuleText(
        N_(
            "The next deal belongs to the seat clockwise after the one that really dealt. A new semester "
            "is opened by the seat after the one that dealt the old semester's first deal, wherever the "
            "turn had got to meanwhile."
        ),
        N_("base; semester's first deal: G, else fill"),
    ),
    "deal.fact": RuleText(
        N_(
            "Who dealt a deal is a fact recorded with it: correcting other deals leaves it as it is, only "
            "amending that very deal changes it. If someone dealt out of turn, the deal counts, is listed "
            "under «To look at», and the turn goes on from him."
        ),
        N_("fill"),
    ),
    "semester.reached": RuleText(
        N_(
            "The target (target, 22 as a rule) is reached with the first deal or adjustment after which "
            "somebody's pool of this semester is that high or higher. All who are there after that one "
            "event reached it together. Nothing that follows in the semester takes it back."
        ),
        N_("P, G, H; which events: fill"),
        ("target",),
    ),
    "semester.end": RuleText(
        N_(
            "With end_rule = whisted a semester ends after a whisted deal, made or set, if the target has "
            "been reached and the all-pass is neither open nor due after it. With end_rule = target any "
            "deal will do, as soon as the target is reached and the all-pass is closed. A fine or an "
            "adjustment alone never ends it."
        ),
        N_("P, H: whisted; G: target; due all-pass: fill"),
        ("end_rule", "target"),
    ),
    "prize.pool": RuleText(
        N_(
            "When a semester ends, whoever was the first to reach its target writes 300 whists on each of "
            "the others, even if overtaken later. If several reached it in the same event, they share."
        ),
        "P, G, H",
    ),
    "prize.gora": RuleText(
        N_(
            "When a semester ends, whoever has the lowest gora of that semester writes 200 whists on each "
            "of the others. Equal lowest goras share."
        ),
        "P, G, H",
    ),
    "prize.total-pool": RuleText(
        N_(
            "After the last semester the pools of all semesters are added up, and whoever has the highest "
            "sum writes 300 whists on each of the others. Equal highest sums share."
        ),
        "P, G, H",
    ),
    "prize.total-gora": RuleText(
        N_(
            "After the last semester the goras of all semesters are added up, and whoever has the lowest "
            "sum writes 200 whists on each of the others. Equal lowest sums share."
        ),
        "P, G, H",
    ),
    "prize.share": RuleText(
        N_(
            "Winners who share a prize write on the others only: two write half of it on each of the other "
            "two, three write a third on the fourth. Of 300 that is 150 or 100, of 200 it is 100 or "
            "exactly 200/3. If all four win, nobody writes anything."
        ),
        N_("P, H; G: semester's gora; else fill"),
    ),
    "game.length": RuleText(
        N_(
            "A game has as many semesters as the switch semesters says: four by P and G, seven by H. Pool "
            "above the target counts in full. The final prizes are written after the last semester, then "
            "the game is over."
        ),
        "P, G: 4; H: 7",
        ("semesters",),
    ),
    "settle.net": RuleText(
        N_(
            "A seat's net is 20 whists for each point of pool above the average of the four, less 10 for "
            "each point of gora above the average, plus the whists it has on the others, less theirs on "
            "it; pools and goras are those of all semesters. Fractions are kept, and the four nets add up "
            "to zero."
        ),
        N_("base"),
    ),
    "settle.round": RuleText(
        N_(
            "Nets are rounded down to whole whists, and the whists then missing go one by one to the "
            "largest fractions, the lower seat first where they are equal, so that the sum stays zero. "
            "Money is rounded in this way too, to the hundredth, from the exact nets."
        ),
        N_("fill"),
    ),
    "settle.transfers": RuleText(
        N_(
            "The money is cleared in as few payments as possible, and nobody pays zero. Among lists of "
            "equal length the one that comes first is taken, by the payer's seat, then the payee's, then "
            "the larger amount."
        ),
        N_("fill"),
    ),
    "settle.early": RuleText(
        N_(
            "A game that is stopped is settled on what has been written; the prizes of the unfinished "
            "semester and the final ones go to nobody. With «stop final» the table awards the final prizes "
            "on the sums so far, those of the unfinished semester still not."
        ),
        N_("fill"),
    ),
    "rating.gambler": RuleText(
        N_(
            "Rating points as on the Gambler server are the exact net divided by 250, to two decimals. The "
            "server calls this approximate."
        ),
        "G",
    ),
    "fine": RuleText(
        N_(
            "A fine is a positive amount of gora on the offender, or of whists that one or all of the "
            "others write on him; the table sets it, usually as one undertrick of the level bid, 4–20 "
            "gora. It counts in the semester in which it stands and moves neither the deal nor the "
            "all-pass. For a finished semester it is inserted before that semester's last deal."
        ),
        N_("fill"),
    ),
    "adjust": RuleText(
        N_(
            "By agreement a seat's pool or gora, or the whists on it, can be corrected up or down; a "
            "reason is required. The adjustment counts where it stands: it can reach the target, but it "
            "does not end a semester."
        ),
        N_("fill"),
    ),
    "substitute": RuleText(
        N_(
            "A newcomer takes over the seat with everything written on it. Prizes carry the name of "
            "whoever sat there when they were won, and the settlement shows the share of each person: by "
            "how much the seat's exact net changed in his time."
        ),
        N_("P: heading only; fill"),
    ),
    "correction": RuleText(
        N_(
            "Nothing once written is erased: an amended deal counts instead of the old one, and the old "
            "one can be read with who changed it, when and why. All that follows is worked out again – "
            "prices, exits, ends of semesters, prizes, whose turn it is – except who really dealt."
        ),
        N_("fill"),
    ),
    "irregular": RuleText(
        N_(
            "What was really played against the rules is recorded as irregular with a reason, scored like "
            "a legal deal of the same text, and listed under «To look at»; a choice that did not exist "
            "counts as pool. Exits and ends of semesters are judged as ever, and a deal played in place of "
            "a due all-pass uses that duty up. Errors of form stay errors: tricks that are missing or "
            "impossible, /m below a nine, a dealer as declarer."
        ),
        N_("fill"),
    ),
    "price.pinned": RuleText(
        N_(
            "An all-pass that was really played at another price than the rules give can have that price "
            "pinned to it, as r@4, and is counted at it. The next prices and everything else go on as if "
            "it had been played at the price of the rules, and nothing is listed under «To look at»."
        ),
        N_("fill"),
    ),
}
"""Every rule by its id, in the order of docs/rules.md."""


def rule_text(rule: str) -> RuleText | None:
    """Return the text of the rule with this id, or None where there is no such rule."""
    return RULES.get(rule)


def nearest(word: str) -> str:
    """Return the ids that begin as a word does, up to its dot; all of them where none does."""
    family = word.strip().lower().partition(".")[0]
    return ", ".join([rule for rule in RULES if rule.partition(".")[0] == family] or RULES)
