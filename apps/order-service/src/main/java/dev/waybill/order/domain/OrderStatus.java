package dev.waybill.order.domain;

/** The status of an order. */
public enum OrderStatus {
    CREATED("已创建"),
    STOCK_RESERVED("库存已预留"),
    STOCK_FAILED("库存预留失败"),
    CANCELED("已取消");

    private final String chinese;

    OrderStatus(String chinese) {
        this.chinese = chinese;
    }

    /** The Chinese name, for documentation. */
    public String chinese() {
        return chinese;
    }
}
