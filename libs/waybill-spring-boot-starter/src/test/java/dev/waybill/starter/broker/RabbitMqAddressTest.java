package dev.waybill.starter.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.Address;
import dev.waybill.starter.StartUpException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.mock.env.MockEnvironment;

/** How {@code spring.rabbitmq.*} is read where Spring AMQP is absent. */
class RabbitMqAddressTest {

    private final MockEnvironment environment = new MockEnvironment();

    @ParameterizedTest
    @CsvSource({
        "rabbit,                          ,    ,   rabbit, -1,   ",
        "rabbit:5673,                     ,    ,   rabbit, 5673, ",
        "me:p@ss@rabbit:5673/shop,        me,  p@ss, rabbit, 5673, shop",
        "amqp://me:secret@rabbit,         me,  secret, rabbit, -1, ",
        "amqps://me:a:b@rabbit:5671/,     me,  a:b, rabbit, 5671, /",
        "[::1]:5673,                      ,    ,   [::1], 5673, ",
        "[::1],                           ,    ,   [::1], -1, "
    })
    void anAddressIsReadAsSpringBootReadsIt(
            String text, String user, String password, String host, int port, String virtualHost) {
        RabbitMqAddress address = RabbitMqAddress.parse(text);
        assertThat(address.user()).isEqualTo(user);
        assertThat(address.password()).isEqualTo(password);
        assertThat(address.host()).isEqualTo(host);
        assertThat(address.port()).isEqualTo(port);
        assertThat(address.virtualHost()).isEqualTo(virtualHost);
    }

    @Test
    void anAddressThatCannotBeReadIsRefusedWithoutItsPassword() {
        for (String broken : List.of("me:secret@:5672", "me:secret@rabbit:port")) {
            assertThatThrownBy(() -> RabbitMqAddress.parse(broken))
                    .isInstanceOf(StartUpException.class)
                    .hasMessageContaining("spring.rabbitmq.addresses")
                    .message()
                    .doesNotContain("secret");
        }
    }

    @Test
    void everySettingThatSaysHowToConnectCounts() {
        environment
                .withProperty("spring.rabbitmq.host", "rabbit")
                .withProperty("spring.rabbitmq.port", "5679")
                .withProperty("spring.rabbitmq.username", "me")
                .withProperty("spring.rabbitmq.password", "secret")
                .withProperty("spring.rabbitmq.virtual-host", "shop")
                .withProperty("spring.rabbitmq.requested-heartbeat", "7")
                .withProperty("spring.rabbitmq.connection-timeout", "2s");
        RabbitMqEndpoint endpoint = endpoint();
        assertThat(endpoint.addresses()).containsExactly(new Address("rabbit", 5679));
        assertThat(endpoint.factory().getPassword()).isEqualTo("secret");
        assertThat(endpoint.factory().getRequestedHeartbeat()).isEqualTo(7);
        assertThat(endpoint.factory().getConnectionTimeout()).isEqualTo(2_000);
        assertThat(endpoint.description())
                .isEqualTo("host=rabbit port=5679 virtualHost=shop user=me tls=false setBy=test");
    }

    @Test
    void addressesWinOverHostAndTheirCredentialsOverTheOthers() {
        environment
                .withProperty("spring.rabbitmq.host", "nobody")
                .withProperty("spring.rabbitmq.username", "nobody")
                .withProperty("spring.rabbitmq.addresses", "amqp://me:secret@first:1/shop, second:2");
        assertThat(endpoint().description())
                .isEqualTo("host=first,second port=1,2 virtualHost=shop user=me tls=false setBy=test");
    }

    @Test
    void nothingSetIsTheBrokerOnLocalhost() {
        assertThat(endpoint().description())
                .isEqualTo("host=localhost port=5672 virtualHost=/ user=guest tls=false setBy=test");
    }

    @Test
    void tlsIsSwitchedOnByItsSettingOrByTheScheme() {
        environment.withProperty("spring.rabbitmq.ssl.enabled", "true");
        assertThat(endpoint().description()).contains("port=5671", "tls=true");
        environment.withProperty("spring.rabbitmq.addresses", "amqp://plain");
        assertThat(endpoint().description()).contains("port=5672", "tls=false");
        environment.withProperty("spring.rabbitmq.addresses", "amqps://secure");
        assertThat(endpoint().description()).contains("port=5671", "tls=true");
    }

    @Test
    void aTrustStoreThatIsNotThereIsNamed() {
        environment
                .withProperty("spring.rabbitmq.ssl.enabled", "true")
                .withProperty("spring.rabbitmq.ssl.trust-store", "file:/nowhere/trust.jks");
        assertThatThrownBy(this::endpoint)
                .isInstanceOf(StartUpException.class)
                .hasMessageContainingAll("spring.rabbitmq.ssl", "/nowhere/trust.jks");
    }

    private RabbitMqEndpoint endpoint() {
        return SpringRabbitSettings.endpoint(
                environment, new StaticListableBeanFactory().getBeanProvider(SslBundles.class), "test");
    }
}
