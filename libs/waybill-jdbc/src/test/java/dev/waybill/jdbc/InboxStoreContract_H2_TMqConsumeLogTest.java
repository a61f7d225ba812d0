package dev.waybill.jdbc;

import dev.waybill.testkit.InboxStoreContract;

class InboxStoreContract_H2_TMqConsumeLogTest extends InboxStoreContract {

    InboxStoreContract_H2_TMqConsumeLogTest() {
        super(JdbcInboxFixture.onH2(TestInbox.T_MQ_CONSUME_LOG));
    }
}
