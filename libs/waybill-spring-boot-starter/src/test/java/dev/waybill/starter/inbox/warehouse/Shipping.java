package dev.waybill.starter.inbox.warehouse;

import dev.waybill.message.Causation;
import dev.waybill.message.Event;
import dev.waybill.starter.inbox.WaybillListener;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.springframework.jdbc.core.JdbcTemplate;

/** Ships what was reserved. The topic is shared: events of other types are ignored. */
public class Shipping {

    private static final Logger log = LoggerFactory.getLogger(Shipping.class);

    private final JdbcTemplate jdbc;

    public Shipping(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @WaybillListener(
            topic = "${warehouse.stock}",
            group = "${warehouse.shipping-group}",
            types = "StockReserved",
            concurrency = "${warehouse.pace:2}")
    void ship(Event event, Map<String, String> payload) {
        String orderNo = String.valueOf(payload.get("orderNo"));
        log.info("shipping {} traceparent={}", orderNo, MDC.get("traceparent"));
        jdbc.update(
                "INSERT INTO shipped (order_no, trace_id, mdc_trace_id, cause_id) VALUES (?, ?, ?, ?)",
                orderNo,
                event.traceId(),
                MDC.get("traceId"),
                event.headers().get(Causation.HEADER));
    }
}
