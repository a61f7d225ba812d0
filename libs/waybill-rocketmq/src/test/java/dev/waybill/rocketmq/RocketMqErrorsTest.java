package dev.waybill.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.transport.SendFailure;
import java.util.stream.Stream;
import org.apache.rocketmq.client.common.ClientErrorCode;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.remoting.exception.RemotingConnectException;
import org.apache.rocketmq.remoting.exception.RemotingSendRequestException;
import org.apache.rocketmq.remoting.exception.RemotingTimeoutException;
import org.apache.rocketmq.remoting.exception.RemotingTooMuchRequestException;
import org.apache.rocketmq.remoting.protocol.ResponseCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class RocketMqErrorsTest {

    @Test
    void sendOkConfirms() {
        assertThat(RocketMqErrors.of(result(SendStatus.SEND_OK))).isNull();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SEND_OK")
    void everyOtherAnswerIsNotStored(SendStatus status) {
        assertThat(RocketMqErrors.of(result(status)).failure()).isEqualTo(SendFailure.NOT_STORED);
    }

    @ParameterizedTest
    @MethodSource("exceptions")
    void everyExceptionHasItsMeaning(Exception thrown, SendFailure meaning) {
        assertThat(RocketMqErrors.of(thrown).failure()).isEqualTo(meaning);
        assertThat(RocketMqErrors.of(new MQClientException("still failed after 2 times", thrown))
                        .failure())
                .isEqualTo(meaning);
    }

    static Stream<Arguments> exceptions() {
        return Stream.of(
                Arguments.of(new RemotingConnectException("a"), SendFailure.NO_CONNECTION),
                Arguments.of(new RemotingSendRequestException("a"), SendFailure.CONNECTION_LOST),
                Arguments.of(new RemotingTimeoutException("a"), SendFailure.TIMED_OUT),
                Arguments.of(new RemotingTooMuchRequestException("a"), SendFailure.TIMED_OUT),
                Arguments.of(
                        new IllegalStateException(new RemotingConnectException("name server")),
                        SendFailure.NO_CONNECTION),
                Arguments.of(
                        new IllegalStateException(new RemotingTimeoutException("name server")), SendFailure.TIMED_OUT),
                Arguments.of(broker(ResponseCode.SYSTEM_BUSY), SendFailure.THROTTLED),
                Arguments.of(broker(ResponseCode.FLOW_CONTROL), SendFailure.THROTTLED),
                Arguments.of(broker(ResponseCode.MESSAGE_ILLEGAL), SendFailure.ILLEGAL_MESSAGE),
                Arguments.of(broker(ResponseCode.TOPIC_NOT_EXIST), SendFailure.TOPIC_UNAVAILABLE),
                Arguments.of(broker(ResponseCode.NO_PERMISSION), SendFailure.TOPIC_UNAVAILABLE),
                Arguments.of(broker(ResponseCode.SERVICE_NOT_AVAILABLE), SendFailure.BLOCKED),
                Arguments.of(broker(ResponseCode.SYSTEM_ERROR), SendFailure.NACKED),
                Arguments.of(client(ClientErrorCode.NOT_FOUND_TOPIC_EXCEPTION), SendFailure.TOPIC_UNAVAILABLE),
                Arguments.of(client(ClientErrorCode.NO_NAME_SERVER_EXCEPTION), SendFailure.NO_CONNECTION),
                Arguments.of(client(ClientErrorCode.ACCESS_BROKER_TIMEOUT), SendFailure.TIMED_OUT),
                Arguments.of(new MQClientException("The broker[x] not exist", null), SendFailure.TOPIC_UNAVAILABLE));
    }

    private static SendResult result(SendStatus status) {
        SendResult result = new SendResult();
        result.setSendStatus(status);
        return result;
    }

    private static MQBrokerException broker(int code) {
        return new MQBrokerException(code, "said the broker");
    }

    private static MQClientException client(int code) {
        return new MQClientException(code, "said the client");
    }
}
