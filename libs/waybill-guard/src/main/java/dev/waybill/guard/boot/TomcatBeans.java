package dev.waybill.guard.boot;

import org.apache.catalina.Lifecycle;
import org.apache.catalina.connector.Connector;
import org.apache.coyote.http11.Http11NioProtocol;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/** What the guards add to an embedded Tomcat: answers in shape, and limits on what a request may cost before it is answered. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(TomcatServletWebServerFactory.class)
class TomcatBeans {

    private static final String CONNECTION_TIMEOUT = "server.tomcat.connection-timeout";

    /** A caller who is still sending when the connection is closed loses the answer, so a good deal more is read than kept. */
    private static final int SWALLOWED_TIMES = 16;

    /** Ordered last: the valve is then inside of the one that Boot adds, and reports an error before it. */
    @Bean
    @Order
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> answerValve(AnswerFactory answers, TraceIdGenerator ids) {
        return factory -> factory.addContextCustomizers(
                context -> context.getParent().getPipeline().addValve(new AnswerValve(answers, ids)));
    }

    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> requestLimits(
            GuardSettings settings, Environment environment) {
        GuardSettings.Requests limits = settings.requests();
        boolean ownTimeout = environment.containsProperty(CONNECTION_TIMEOUT);
        return factory -> factory.addConnectorCustomizers(connector -> {
            if (connector.getProtocolHandler() instanceof Http11NioProtocol http) {
                if (!ownTimeout) {
                    // Without this line a shorter wait for headers would shorten the wait for the next request too.
                    http.setKeepAliveTimeout(http.getKeepAliveTimeout());
                    http.setConnectionTimeout((int) limits.headerTimeout().toMillis());
                }
                if (limits.readFirst()) {
                    readBodiesFirst(connector, http, limits);
                }
            }
        });
    }

    /** Tomcat makes its own adapter when the connector is initialised, and asks for it when the first request comes. */
    private static void readBodiesFirst(Connector connector, Http11NioProtocol http, GuardSettings.Requests limits) {
        connector.addLifecycleListener(event -> {
            if (event.getType().equals(Lifecycle.AFTER_INIT_EVENT)) {
                long swallowed = http.getMaxSwallowSize() < 0 ? Long.MAX_VALUE : http.getMaxSwallowSize();
                PendingBody.Limits body = new PendingBody.Limits(
                        limits.largestBody().toBytes(),
                        Math.max(SWALLOWED_TIMES * limits.largestBody().toBytes(), swallowed),
                        new WaitingBytes(limits.waitingBytes().toBytes()));
                http.setAdapter(new BodyFirstAdapter(http.getAdapter(), body, limits.bodyDeadline()));
            }
        });
    }
}
