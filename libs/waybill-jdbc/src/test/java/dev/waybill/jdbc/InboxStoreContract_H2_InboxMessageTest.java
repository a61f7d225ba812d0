package dev.waybill.jdbc;

import dev.waybill.testkit.InboxStoreContract;

class InboxStoreContract_H2_InboxMessageTest extends InboxStoreContract {

    InboxStoreContract_H2_InboxMessageTest() {
        super(JdbcInboxFixture.onH2(TestInbox.INBOX_MESSAGE));
    }
}
