package dev.waybill.flows.rights;

import dev.waybill.servicetestkit.BearerTokens;
import dev.waybill.servicetestkit.HttpCalls;

/** The columns of the table. The user of the order service is the buyer of the marketplace. */
enum Who {
    BUYER(2, 10_001),
    SELLER(3, 10_002),
    ANOTHER(4, 10_003),
    OPERATOR(5, 0),
    NOBODY(6, 0);

    final int column;
    final long number;

    Who(int column, long number) {
        this.column = column;
        this.number = number;
    }

    /** The service, called with this one's token. */
    HttpCalls calls(HttpCalls service) {
        return switch (this) {
            case NOBODY -> service;
            case OPERATOR -> service.with(BearerTokens.OF_TESTS.operator());
            default -> service.with(BearerTokens.OF_TESTS.user(number));
        };
    }
}
