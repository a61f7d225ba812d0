package dev.waybill.jdbc;

import dev.waybill.testkit.InboxFixture.Traits;

/** What the tests know about each consume log beyond its mapping: what it can do. */
enum TestInbox {
    WAYBILL(InboxLayouts.waybill(), new Traits(true, true, true, true, true, 2_000, 64)),
    T_MQ_CONSUME_LOG(InboxLayouts.tMqConsumeLog(), new Traits(true, true, true, true, true, 512, 64)),
    INBOX_MESSAGE(InboxLayouts.inboxMessage(), new Traits(true, true, false, true, false, 512, 128)),
    EVENT_CONSUME_LOG(InboxLayouts.eventConsumeLog(), new Traits(false, false, false, false, false, 0, 64));

    @SuppressWarnings("ImmutableEnumChecker") // a mapping does not change
    final InboxMapping mapping;

    @SuppressWarnings("ImmutableEnumChecker") // nor do traits
    final Traits traits;

    TestInbox(InboxMapping mapping, Traits traits) {
        this.mapping = mapping;
        this.traits = traits;
    }
}
