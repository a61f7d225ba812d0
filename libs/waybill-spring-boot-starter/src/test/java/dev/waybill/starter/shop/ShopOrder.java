package dev.waybill.starter.shop;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** An order as JPA sees it. */
@Entity
@Table(name = "shop_order")
public class ShopOrder {

    @Id
    private String id;

    protected ShopOrder() {}

    public ShopOrder(String id) {
        this.id = id;
    }

    public String id() {
        return id;
    }
}
