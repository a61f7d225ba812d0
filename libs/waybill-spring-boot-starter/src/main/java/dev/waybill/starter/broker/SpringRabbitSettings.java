package dev.waybill.starter.broker;

import com.rabbitmq.client.Address;
import com.rabbitmq.client.ConnectionFactory;
import dev.waybill.rabbitmq.TopologyDeclarer;
import dev.waybill.starter.StartUpException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.jks.JksSslStoreBundle;
import org.springframework.boot.ssl.jks.JksSslStoreDetails;
import org.springframework.core.env.Environment;

/** What of {@code spring.rabbitmq.*} says how to connect, for applications without Spring AMQP. The names and defaults are Spring Boot's. */
record SpringRabbitSettings(
        @DefaultValue("localhost") String host,
        @Nullable Integer port,
        @DefaultValue("guest") String username,
        @DefaultValue("guest") String password,
        @Nullable String virtualHost,
        @DefaultValue List<String> addresses,
        @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration requestedHeartbeat,
        @Nullable Duration connectionTimeout,
        @DefaultValue Ssl ssl) {

    private static final String PREFIX = "spring.rabbitmq";

    /** TLS. */
    record Ssl(
            boolean enabled,
            @Nullable String bundle,
            @Nullable String keyStore,
            @Nullable String keyStoreType,
            @Nullable String keyStorePassword,
            @Nullable String trustStore,
            @Nullable String trustStoreType,
            @Nullable String trustStorePassword,
            @DefaultValue("true") boolean validateServerCertificate,
            @DefaultValue("true") boolean verifyHostname) {}

    static RabbitMqEndpoint endpoint(Environment environment, ObjectProvider<SslBundles> bundles, String source) {
        return Binder.get(environment)
                .bindOrCreate(PREFIX, SpringRabbitSettings.class)
                .endpoint(bundles, source);
    }

    private RabbitMqEndpoint endpoint(ObjectProvider<SslBundles> bundles, String source) {
        List<RabbitMqAddress> parsed =
                addresses.stream().map(RabbitMqAddress::parse).toList();
        RabbitMqAddress first = parsed.isEmpty()
                ? new RabbitMqAddress(
                        null, null, null, host, port == null ? ConnectionFactory.USE_DEFAULT_PORT : port, null)
                : parsed.get(0);
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost(first.host());
        factory.setPort(first.port());
        factory.setUsername(first.user() == null ? username : first.user());
        factory.setPassword(first.password() == null ? password : first.password());
        String chosen = first.virtualHost() == null ? virtualHost : first.virtualHost();
        if (chosen != null) {
            factory.setVirtualHost(chosen.isEmpty() ? "/" : chosen);
        }
        if (requestedHeartbeat != null) {
            factory.setRequestedHeartbeat(Math.toIntExact(requestedHeartbeat.toSeconds()));
        }
        if (connectionTimeout != null) {
            factory.setConnectionTimeout(Math.toIntExact(connectionTimeout.toMillis()));
        }
        if (first.secure() == null ? ssl.enabled() || ssl.bundle() != null : first.secure()) {
            secure(factory, bundles);
        }
        List<Address> all = (parsed.isEmpty() ? List.of(first) : parsed)
                .stream().map(each -> new Address(each.host(), each.port())).toList();
        return new RabbitMqEndpoint(factory, all, source, TopologyDeclarer.NOTHING);
    }

    private void secure(ConnectionFactory factory, ObjectProvider<SslBundles> bundles) {
        try {
            if (ssl.validateServerCertificate()) {
                factory.useSslProtocol(bundle(bundles).createSslContext());
            } else {
                factory.useSslProtocol(); // the client's own context, which trusts everybody
            }
            if (ssl.verifyHostname()) {
                factory.enableHostnameVerification();
            }
        } catch (GeneralSecurityException | IllegalStateException e) {
            throw new StartUpException(
                    PREFIX + ".ssl",
                    "TLS for RabbitMQ cannot be set up: " + e.getMessage() + ".",
                    "Change " + PREFIX + ".ssl.",
                    e);
        }
    }

    private SslBundle bundle(ObjectProvider<SslBundles> bundles) {
        return ssl.bundle() != null
                ? bundles.getObject().getBundle(ssl.bundle())
                : SslBundle.of(new JksSslStoreBundle(
                        store(ssl.keyStore(), ssl.keyStoreType(), ssl.keyStorePassword()),
                        store(ssl.trustStore(), ssl.trustStoreType(), ssl.trustStorePassword())));
    }

    private static @Nullable JksSslStoreDetails store(
            @Nullable String location, @Nullable String type, @Nullable String password) {
        return location == null ? null : new JksSslStoreDetails(type, null, location, password);
    }
}
