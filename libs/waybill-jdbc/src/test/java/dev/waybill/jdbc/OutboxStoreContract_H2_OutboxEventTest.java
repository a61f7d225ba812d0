package dev.waybill.jdbc;

import dev.waybill.testkit.OutboxStoreContract;

class OutboxStoreContract_H2_OutboxEventTest extends OutboxStoreContract {

    OutboxStoreContract_H2_OutboxEventTest() {
        super(JdbcOutboxFixture.onH2(TestTable.OUTBOX_EVENT));
    }
}
