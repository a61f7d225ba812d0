package dev.waybill.starter.shop;

/** By what the business code writes its rows. */
public enum BusinessCode {
    JDBC,
    MYBATIS,
    JPA,
    /** All three in one transaction: the order itself by JPA. */
    MIXED
}
