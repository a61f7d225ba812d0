package dev.waybill.order.domain;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The service's own settings.
 *
 * @param stockTopic where the inventory's answers are read
 * @param stockGroup under which name they are read
 */
@ConfigurationProperties("order")
public record OrderSettings(
        @DefaultValue("STOCK_TOPIC") String stockTopic,
        @DefaultValue("order-service") String stockGroup,
        @DefaultValue StockAnswer stockAnswer) {

    /**
     * What becomes of an order whose stock answer does not come.
     *
     * @param reportAfter such an order is reported when it is this old
     * @param cancelAfter and canceled when it is this old; 0 is never
     * @param checkEvery the pause between two looks
     */
    public record StockAnswer(
            @DefaultValue("2m") Duration reportAfter,
            @DefaultValue("1h") Duration cancelAfter,
            @DefaultValue("10s") Duration checkEvery) {

        public StockAnswer {
            require(isPositive(reportAfter), "report-after", "longer than 0");
            require(!cancelAfter.isNegative(), "cancel-after", "0 (never) or longer");
            require(isPositive(checkEvery), "check-every", "longer than 0");
        }

        private static boolean isPositive(Duration time) {
            return !time.isNegative() && !time.isZero();
        }

        private static void require(boolean met, String name, String rule) {
            if (!met) {
                throw new IllegalArgumentException("order.stock-answer." + name + " must be " + rule);
            }
        }
    }
}
