package dev.waybill.starter;

import dev.waybill.alert.AlertRule.Subject;
import dev.waybill.alert.Severity;
import dev.waybill.alert.WebhookFormat;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Alerts about outbox, dead letters and destinations, raised once and cleared once for all replicas of the application.
 *
 * @param enabled Whether this process looks for what needs a person. It needs the table waybill_alert, which
 *     waybill.outbox.ddl=apply creates.
 * @param interval Pause between two looks, the same on all replicas; what nobody has seen for three of them is cleared.
 * @param scope The application's name in alerts, the same on all its replicas; spring.application.name by default.
 * @param webhook Address that notices are posted to, beside the log.
 * @param webhookFormat What is posted.
 * @param webhookTimeout How long to wait for the webhook to connect, and then to answer.
 * @param rules Rules by name. One that has the name of a standing rule takes its place, and what it does not say is as it was;
 *     one without steps takes it away.
 */
public record AlertProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("5s") Duration interval,
        @Nullable String scope,
        @Nullable URI webhook,
        @DefaultValue("json") WebhookFormat webhookFormat,
        @DefaultValue("5s") Duration webhookTimeout,
        @DefaultValue Map<String, Rule> rules) {

    /**
     * A rule.
     *
     * @param measure Which figure: outbox.overdue, outbox.retrying, outbox.oldest-due, outbox.dead, outbox.failed-sends,
     *     inbox.failed-deliveries, broker.backlog, destination.down, dead-letters.open, or one of a probe of your own.
     * @param window Where set, the rule is about the figure's growth in a minute, over this long.
     * @param type Only figures of this event type.
     * @param topic Only figures of this topic.
     * @param subject Whether there is one alert for all, or one for each type or topic.
     * @param steps Thresholds, each worse than the one before.
     */
    public record Rule(
            @Nullable String measure,
            @Nullable Duration window,
            @Nullable String type,
            @Nullable String topic,
            @Nullable Subject subject,
            @DefaultValue List<Step> steps) {}

    /**
     * A threshold.
     *
     * @param above The figure has to be higher than this.
     * @param lasting For so long without a break.
     * @param severity How bad it is.
     */
    public record Step(
            @DefaultValue("0") double above,
            @DefaultValue("0s") Duration lasting,
            @DefaultValue("warning") Severity severity) {}
}
