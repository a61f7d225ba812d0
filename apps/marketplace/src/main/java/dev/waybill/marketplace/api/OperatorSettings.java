package dev.waybill.marketplace.api;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Who may see and replay dead letters.
 *
 * @param name the operator's name, also in the audit
 * @param password the operator's password; without one, each start generates one and logs it
 */
@ConfigurationProperties("marketplace.operator")
record OperatorSettings(
        @DefaultValue("operator") String name,
        @DefaultValue("") String password) {

    @Override
    public String toString() {
        return "OperatorSettings[name=" + name + "]";
    }
}
