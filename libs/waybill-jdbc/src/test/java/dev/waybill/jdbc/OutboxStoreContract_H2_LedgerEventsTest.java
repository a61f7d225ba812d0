package dev.waybill.jdbc;

import dev.waybill.testkit.OutboxStoreContract;

class OutboxStoreContract_H2_LedgerEventsTest extends OutboxStoreContract {

    OutboxStoreContract_H2_LedgerEventsTest() {
        super(JdbcOutboxFixture.onH2(TestTable.EVENTS));
    }
}
