package dev.waybill.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.common.message.Message;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Servers({Server.RABBITMQ, Server.ROCKETMQ, Server.REDIS})
class BrokersTest {

    @Test
    void redisAnswersToItsPassword(Redis redis) throws Exception {
        var request = ("AUTH " + redis.password() + "\r\nPING\r\n").getBytes(StandardCharsets.US_ASCII);
        var answer = TcpExchange.ask(redis.host(), redis.port(), request, 12);
        assertThat(new String(answer, StandardCharsets.US_ASCII)).isEqualTo("+OK\r\n+PONG\r\n");
    }

    @Test
    void rabbitMqHandsOutAVirtualHostOfItsOwn(RabbitMq rabbitMq) {
        var vhost = rabbitMq.freshVhost();
        rabbitMq.manage("PUT", "/api/queues/" + vhost.name() + "/things", "{\"durable\":true}");
        assertThat(rabbitMq.manage("GET", "/api/queues/" + vhost.name(), "")).contains("\"things\"");
        assertThat(vhost.amqpUri())
                .isEqualTo(
                        "amqp://waybill:" + rabbitMq.password() + "@127.0.0.1:" + rabbitMq.port() + "/" + vhost.name());
    }

    @Test
    void rabbitMqRefusalsAreNamed(RabbitMq rabbitMq) {
        assertThatThrownBy(() -> rabbitMq.manage("GET", "/api/queues/nowhere/nothing", ""))
                .isInstanceOf(ServerUnavailableException.class)
                .hasMessageContaining("404");
    }

    @Test
    @Tag("outage")
    void rabbitMqRaisesAndClearsTheMemoryAlarm(RabbitMq rabbitMq) {
        rabbitMq.raiseMemoryAlarm();
        Awaitility.await().until(() -> hasMemoryAlarm(rabbitMq));
        rabbitMq.clearMemoryAlarm();
        Awaitility.await().until(() -> !hasMemoryAlarm(rabbitMq));
    }

    @Test
    void rocketMqConfirmsAMessageOnANewTopicAtOnce(RocketMq rocketMq) throws Exception {
        assertThat(send(rocketMq)).isEqualTo(SendStatus.SEND_OK);
    }

    @Test
    void rocketMqCanBeMadeToAnswerSomethingElseThanOkUntilTheClassEnds(RocketMq rocketMq) throws Exception {
        try (var servers = PrivateServers.open()) {
            servers.rocketMq().configureBroker(Map.of("syncFlushTimeout", "0"));
            SendStatus status = SendStatus.SEND_OK;
            for (int i = 0; i < 50 && status == SendStatus.SEND_OK; i++) { // a disk may be quicker than no time at all
                status = send(servers.rocketMq());
            }
            assertThat(status).isEqualTo(SendStatus.FLUSH_DISK_TIMEOUT);
        }
        assertThat(send(rocketMq)).isEqualTo(SendStatus.SEND_OK);
    }

    private static SendStatus send(RocketMq rocketMq) throws Exception {
        var topic = "things-" + UUID.randomUUID();
        rocketMq.createTopic(topic);
        rocketMq.createGroup("group-" + topic);
        var producer = new DefaultMQProducer("producer-" + topic);
        producer.setNamesrvAddr(rocketMq.nameServer());
        producer.setSendMsgTimeout(20_000);
        producer.start();
        try {
            return producer.send(new Message(topic, "hello".getBytes(StandardCharsets.UTF_8)))
                    .getSendStatus();
        } finally {
            producer.shutdown();
        }
    }

    /** The health check asks the broker itself; the node's statistics are up to five seconds old. */
    private static boolean hasMemoryAlarm(RabbitMq rabbitMq) {
        try {
            return !rabbitMq.manage("GET", "/api/health/checks/local-alarms", "")
                    .contains("\"ok\"");
        } catch (ServerUnavailableException alarmed) {
            assertThat(alarmed).hasMessageContaining("503").hasMessageContaining("memory");
            return true;
        }
    }
}
