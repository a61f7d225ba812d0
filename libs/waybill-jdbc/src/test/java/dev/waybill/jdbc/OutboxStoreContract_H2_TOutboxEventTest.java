package dev.waybill.jdbc;

import dev.waybill.testkit.OutboxStoreContract;

class OutboxStoreContract_H2_TOutboxEventTest extends OutboxStoreContract {

    OutboxStoreContract_H2_TOutboxEventTest() {
        super(JdbcOutboxFixture.onH2(TestTable.T_OUTBOX_EVENT));
    }
}
