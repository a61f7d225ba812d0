package dev.waybill.jdbc;

import dev.waybill.testkit.InboxStoreContract;

class InboxStoreContract_H2_WaybillTest extends InboxStoreContract {

    InboxStoreContract_H2_WaybillTest() {
        super(JdbcInboxFixture.onH2(TestInbox.WAYBILL));
    }
}
