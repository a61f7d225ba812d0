package dev.waybill.jdbc;

import dev.waybill.testkit.OutboxStoreContract;

class OutboxStoreContract_H2_OutboxEventsTest extends OutboxStoreContract {

    OutboxStoreContract_H2_OutboxEventsTest() {
        super(JdbcOutboxFixture.onH2(TestTable.OUTBOX_EVENTS));
    }
}
