package dev.waybill.rocketmq;

import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendResult.NotConfirmed;
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
import org.jspecify.annotations.Nullable;

/** What the client's answers and exceptions mean. Told apart by type and code, never by text. */
final class RocketMqErrors {

    private RocketMqErrors() {}

    /** Null for SEND_OK, which alone confirms. */
    static @Nullable NotConfirmed of(SendResult result) {
        SendStatus status = result.getSendStatus();
        return status == SendStatus.SEND_OK ? null : new NotConfirmed(SendFailure.NOT_STORED, status.name());
    }

    static NotConfirmed of(Throwable thrown) {
        return new NotConfirmed(classify(thrown), root(thrown).toString());
    }

    /** The client's outer exceptions say how often it tried; the innermost one says what happened. */
    private static Throwable root(Throwable thrown) {
        Throwable cause = thrown.getCause();
        return cause == null || cause == thrown ? thrown : root(cause);
    }

    private static SendFailure classify(Throwable thrown) {
        if (thrown instanceof MQBrokerException broker) {
            return byCode(broker.getResponseCode());
        }
        if (thrown instanceof RemotingTimeoutException || thrown instanceof RemotingTooMuchRequestException) {
            return SendFailure.TIMED_OUT; // with the second, the client says so too when its first try got no answer
        }
        if (thrown instanceof RemotingConnectException) {
            return SendFailure.NO_CONNECTION;
        }
        if (thrown instanceof RemotingSendRequestException) {
            return SendFailure.CONNECTION_LOST;
        }
        Throwable cause = thrown.getCause();
        if (cause != null && cause != thrown) {
            return classify(cause); // the client wraps: "still failed after 3 times", a state that is illegal, …
        }
        if (thrown instanceof MQClientException client) {
            return byCode(client.getResponseCode());
        }
        return SendFailure.CONNECTION_LOST; // interrupted by close, or the client is shutting down
    }

    private static SendFailure byCode(int code) {
        return switch (code) {
            case ResponseCode.SYSTEM_BUSY, ResponseCode.FLOW_CONTROL -> SendFailure.THROTTLED;
            case ResponseCode.MESSAGE_ILLEGAL, ResponseCode.INVALID_PARAMETER -> SendFailure.ILLEGAL_MESSAGE;
            case ResponseCode.FLUSH_DISK_TIMEOUT, ResponseCode.FLUSH_SLAVE_TIMEOUT, ResponseCode.SLAVE_NOT_AVAILABLE ->
                SendFailure.NOT_STORED;
            case ResponseCode.TOPIC_NOT_EXIST,
                    ResponseCode.NO_PERMISSION,
                    ResponseCode.NOT_LEADER_FOR_QUEUE,
                    ClientErrorCode.NOT_FOUND_TOPIC_EXCEPTION,
                    ClientErrorCode.BROKER_NOT_EXIST_EXCEPTION -> SendFailure.TOPIC_UNAVAILABLE;
            // Its disk is full, it became a slave, or it is going down: it takes nothing from anybody.
            case ResponseCode.SERVICE_NOT_AVAILABLE, ResponseCode.GO_AWAY -> SendFailure.BLOCKED;
            case ClientErrorCode.CONNECT_BROKER_EXCEPTION, ClientErrorCode.NO_NAME_SERVER_EXCEPTION ->
                SendFailure.NO_CONNECTION;
            case ClientErrorCode.ACCESS_BROKER_TIMEOUT -> SendFailure.TIMED_OUT;
            case -1 -> SendFailure.TOPIC_UNAVAILABLE; // the client has no code for "that broker is not there"
            default -> SendFailure.NACKED;
        };
    }
}
