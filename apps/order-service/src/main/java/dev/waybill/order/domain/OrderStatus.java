package dev.waybill.order.domain;

/** Where an order stands. */
public enum OrderStatus {
    CREATED("已创建"),
    STOCK_RESERVED("库存已预留"),
    STOCK_FAILED("库存预留失败"),
    CANCELED("已取消");

    private final String chinese;

    OrderStatus(String chinese) {
        this.chinese = chinese;
    }

    /** The name that people in the shop use. */
    public String chinese() {
        return chinese;
    }
}
