package dev.waybill.starter.shop;

import org.apache.ibatis.annotations.Insert;

/** An order as MyBatis sees it. */
public interface OrderMapper {

    @Insert("INSERT INTO shop_order (id) VALUES (#{id})")
    void insert(String id);
}
