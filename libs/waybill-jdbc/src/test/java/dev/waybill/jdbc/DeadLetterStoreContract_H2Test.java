package dev.waybill.jdbc;

import dev.waybill.testkit.DeadLetterStoreContract;

class DeadLetterStoreContract_H2Test extends DeadLetterStoreContract {

    DeadLetterStoreContract_H2Test() {
        super(JdbcDeadLetterFixture.onH2());
    }
}
