"""Which test holds which case of FAULTS.md about time, results, notices and the web (B01 to B35, C01 to C19).

A case may be held by several tests, each a part of it. This one only keeps the list true: every test named is there.
"""

import re
from functools import cache
from pathlib import Path

import pytest

HERE = Path(__file__).parent

CASES: dict[str, tuple[str, ...]] = {
    "B01 double submit": ("test_the_same_draw_sent_twice_is_played_once",),
    "B03 two tabs": ("test_a_stale_tab_is_refused_with_the_fresh_table",),
    "B05 a refused move raises nothing": ("test_a_refused_act_changes_nothing_keeps_the_selection_and_teaches",),
    "B07 deck order and seed": (
        "test_no_page_depends_on_a_card_that_its_reader_cannot_see",
        "test_no_page_names_the_secret_the_chain_or_anybodys_draft",
        "test_a_turn_reaches_those_who_look_and_those_who_play_and_carries_no_card",
    ),
    "B10 the log": ("test_the_log_tells_each_reader_what_he_may_know",),
    "B11 watchers and staff": (
        "test_a_watcher_sees_the_table_and_no_hand_until_the_deal_is_over",
        "test_no_admin_page_depends_on_any_card_of_a_running_deal",
    ),
    "B13 a clock after the end": ("test_a_match_that_is_over_has_no_clock_any_more",),
    "B15 nobody looks": ("test_b15_a_match_that_nobody_opens_ends_once_by_the_clock_and_both_are_told_once",),
    "B17 a pause refills nothing": ("test_a_pause_keeps_what_is_left_of_the_turn_and_not_more",),
    "B19 real hours": (
        "test_a_deadline_is_added_in_real_hours_across_the_change_of_the_clocks",
        "test_the_page_shows_the_deadline_in_the_zone_of_its_reader",
    ),
    "B21 what is eligible": (
        "test_b21_matches_with_bots_count_apart_and_move_no_rating",
        "test_b21_two_accounts_that_break_a_match_off_in_its_first_turn_get_nothing_by_it",
        "test_b21_of_two_persons_never_both_go_up",
    ),
    "B23 who leaves has lost": (
        "test_b23_who_leaves_at_12_to_88_has_lost_once_and_the_log_says_why",
        "test_b23_at_a_table_of_four_the_others_go_on",
    ),
    "B25 totals are derived": (
        "test_b25_the_totals_of_a_match_are_what_its_deals_come_to",
        "test_the_last_hand_of_107_to_92_is_void_and_the_match_is_open_at_80_to_92",
        "test_a_finished_match_is_open_again_when_its_last_deal_is_void_and_all_follows_once",
        "test_a_correction_made_twice_ends_at_the_last_one_and_can_be_taken_back",
    ),
    "B27 notices reach whom they are for": (
        "test_b27_one_notice_for_the_other_on_both_devices_and_reading_on_one_clears_both",
        "test_whose_turn_begins_is_told_once_and_the_mover_is_not",
        "test_against_bots_alone_nobody_is_told_that_it_is_his_turn",
        "test_who_has_muted_the_match_is_told_nothing_of_it",
        "test_an_invitation_is_told_to_the_guest_and_its_answer_to_the_opener",
    ),
    "B29 a rematch": (
        "test_b29_a_rematch_has_the_same_accounts_and_options_and_the_deal_moves_on",
        "test_b29_one_who_declines_ends_it_for_all",
        "test_b29_a_closed_account_is_a_refusal_with_a_sentence",
    ),
    "B30 against oneself, or twice": (
        "test_b30_nobody_invites_himself_whatever_he_calls_himself",
        "test_b30_a_friend_who_is_asked_twice_is_kept_one_seat",
        "test_b30_who_sits_already_gets_no_second_seat_by_any_way",
        "test_b30_the_own_link_leads_to_the_match_and_seats_nobody",
        "test_b30_accepting_a_rematch_twice_is_refused_with_a_sentence",
    ),
    "B33 the log tells all": (
        "test_b33_a_match_with_resignation_timeout_and_vacation_is_rebuilt_from_its_log_at_every_step",
        "test_the_tape_alone_tells_a_match_with_pause_vacation_live_play_and_time_given",
        "test_a_match_is_rebuilt_from_its_tape_with_all_who_came_and_went",
        "test_a_match_with_everything_in_it_is_made_anew_from_its_tape_at_every_step",
    ),
    "B35 lists": (
        "test_whatever_way_a_match_ends_it_is_in_the_right_list_exactly_once",
        "test_b35_a_cancelled_match_leaves_the_running_lists_at_once",
        "test_b35_a_match_that_ended_stands_once_among_the_finished",
        "test_b35_a_declined_rematch_stands_once_among_the_finished",
        "test_what_a_moderator_ends_stands_once_among_the_ended_at_once",
        "test_b35_a_profile_tells_of_what_has_ended_once_and_of_nothing_else",
    ),
    "C01 origins": ("test_a_socket_opens_from_the_own_origin_only",),
    "C03 who may listen": (
        "test_nobody_without_a_session_gets_a_socket",
        "test_a_stranger_to_a_private_match_is_refused_and_in_no_group",
        "test_a_wrong_address_is_refused_without_a_trace",
    ),
    "C05 a broken layer": (
        "test_with_a_broken_layer_a_discard_stands_and_its_answer_does_not_wait",
        "test_without_sockets_a_page_polls_each_minute",
    ),
    "C07 many writers": (
        "test_eight_people_each_make_twenty_moves_while_the_sweep_runs_and_none_is_lost",
        "test_the_file_database_writes_ahead_and_waits",
        "test_new_connections_are_made_while_somebody_writes",
    ),
    "C09 a second press": (
        "test_every_act_of_a_table_guards_against_a_second_press",
        "test_every_form_of_the_table_waits_for_its_answer_and_carries_a_token",
        "test_the_same_draw_sent_twice_is_played_once",
    ),
    "C11 headers and tokens": (
        "test_every_form_of_every_page_is_accepted_with_what_the_page_gives",
        "test_every_page_carries_the_csrf_token_for_scripts_as_valid_json",
    ),
    "C13 nothing stays in the browser": (
        "test_signing_out_forgets",
        "test_back_after_signing_out_shows_no_hand_and_asks_to_sign_in",
        "test_invitations_and_profiles_are_kept_by_no_browser",
        "test_private_pages_are_stored_nowhere",
        "test_nothing_of_a_table_is_kept_by_browsers_and_no_card_travels_twice",
    ),
    "C15 an older answer": (
        "test_an_older_answer_never_overwrites_a_newer_one",
        "test_parts_carry_the_hand_only_when_it_has_changed",
    ),
    "C17 leaving after a refusal": ("test_leaving_after_a_refusal_or_at_once_logs_nothing",),
    "C19 the administration": (
        "test_a_list_costs_the_same_with_5_and_with_1000_rows",
        "test_lists_and_pages_of_a_large_site_take_few_queries_and_never_load_all_users",
        "test_pages_filters_and_searches_are_cheap_and_offer_no_long_choices",
    ),
}


@cache
def names() -> frozenset[str]:
    """Every test that there is, by name: tests move from file to file."""
    found = re.findall(
        r"^(?:async )?def (test_\w+)", "\n".join(one.read_text() for one in HERE.rglob("test_*.py")), re.M
    )
    return frozenset(found)


@pytest.mark.parametrize("case", CASES)
def test_a_case_is_held_by_tests_that_are_there(case: str) -> None:
    missing = set(CASES[case]) - names()
    assert not missing, f"{case}: {missing}"
