package dev.waybill.order.api;

import dev.waybill.order.domain.OrderService;
import dev.waybill.servicekit.AccessRules;
import dev.waybill.servicekit.Caller;
import dev.waybill.servicekit.Roles;
import java.util.regex.Pattern;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AuthorizeHttpRequestsConfigurer;
import org.springframework.stereotype.Component;

/** Who may do what with orders. Users act for themselves, operators look; another's order is answered like an unknown one. */
@Component
class OrderAccess implements AccessRules {

    private static final Pattern ORDER_NO = Pattern.compile("ORD[0-9]{21}");

    private final OrderService orders;

    OrderAccess(OrderService orders) {
        this.orders = orders;
    }

    @Override
    public void apply(
            AuthorizeHttpRequestsConfigurer<HttpSecurity>.AuthorizationManagerRequestMatcherRegistry requests) {
        requests.requestMatchers(HttpMethod.POST, "/orders/**").access(Roles.usersOnly());
    }

    /** Whether there is such an order and the caller may see it. A text that is no order number does not reach the database. */
    public boolean maySee(Caller caller, String orderNo) {
        return ORDER_NO.matcher(orderNo).matches()
                && orders.ownerOf(orderNo).filter(owner -> caller.maySee(owner)).isPresent();
    }
}
