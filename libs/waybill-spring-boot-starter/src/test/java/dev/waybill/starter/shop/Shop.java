package dev.waybill.starter.shop;

import dev.waybill.message.Event;
import dev.waybill.outbox.Outbox;
import jakarta.persistence.EntityManager;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/** Takes orders: one row and one event each. */
public class Shop {

    private final Outbox outbox;
    private final JdbcTemplate jdbc;
    private final OrderMapper mapper;
    private final ObjectProvider<EntityManager> entities;

    public Shop(Outbox outbox, JdbcTemplate jdbc, OrderMapper mapper, ObjectProvider<EntityManager> entities) {
        this.outbox = outbox;
        this.jdbc = jdbc;
        this.mapper = mapper;
        this.entities = entities;
    }

    /** In whatever transaction the caller has. */
    public void take(String order, BusinessCode how) {
        switch (how) {
            case JDBC -> insert(order);
            case MYBATIS -> mapper.insert(order);
            case JPA -> entities.getObject().persist(new ShopOrder(order));
            case MIXED -> {
                entities.getObject().persist(new ShopOrder(order));
                mapper.insert(order + "-by-mybatis");
                insert(order + "-by-jdbc");
            }
        }
        publish(order);
    }

    @Transactional
    public void takeTransactionally(String order) {
        take(order, BusinessCode.JDBC);
    }

    @Transactional
    public void takeAndFail(String order) {
        take(order, BusinessCode.JDBC);
        throw new IllegalStateException("out of stock");
    }

    public String publish(String order) {
        return outbox.publish(Event.builder("OrderCreated")
                .bizKey(order)
                .payload("{\"order\":\"" + order + "\"}")
                .build());
    }

    private void insert(String order) {
        jdbc.update("INSERT INTO shop_order (id) VALUES (?)", order);
    }
}
