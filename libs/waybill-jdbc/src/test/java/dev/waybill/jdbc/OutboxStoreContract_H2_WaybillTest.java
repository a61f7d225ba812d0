package dev.waybill.jdbc;

import dev.waybill.testkit.OutboxStoreContract;

class OutboxStoreContract_H2_WaybillTest extends OutboxStoreContract {

    OutboxStoreContract_H2_WaybillTest() {
        super(JdbcOutboxFixture.onH2(TestTable.WAYBILL));
    }
}
