package dev.waybill.jdbc;

import dev.waybill.testkit.InboxStoreContract;

class InboxStoreContract_H2_EventConsumeLogTest extends InboxStoreContract {

    InboxStoreContract_H2_EventConsumeLogTest() {
        super(JdbcInboxFixture.onH2(TestInbox.EVENT_CONSUME_LOG));
    }
}
