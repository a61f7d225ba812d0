package dev.waybill.rocketmq;

import static dev.waybill.rocketmq.Sends.assertConfirmed;
import static dev.waybill.rocketmq.Sends.failureOrNull;
import static dev.waybill.rocketmq.Sends.messages;
import static dev.waybill.rocketmq.Sends.outcomes;
import static dev.waybill.rocketmq.Sends.send;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.message.Destination;
import dev.waybill.servers.RocketMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.rocketmq.remoting.RPCHook;
import org.apache.rocketmq.remoting.protocol.RemotingCommand;
import org.apache.rocketmq.remoting.protocol.RequestCode;
import org.apache.rocketmq.remoting.protocol.header.SendMessageRequestHeaderV2;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One topic's requests stay without an answer; the broker and the other topics are well. */
@Servers(Server.ROCKETMQ)
class HangingTopicTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(6);

    private final RocketMqFixture fixture;
    private final Destination hanging;
    private final Destination well;
    private final CountDownLatch end = new CountDownLatch(1);
    private final AtomicInteger held = new AtomicInteger();
    private final RocketMqTransport transport;

    HangingTopicTest(RocketMq server) {
        this.fixture = new RocketMqFixture(server);
        this.hanging = fixture.freshDestination();
        this.well = fixture.freshDestination();
        this.transport = fixture.builder()
                .sendTimeout(TIMEOUT)
                .batchLimit(16)
                .rpcHook(new HoldingHook())
                .build();
    }

    @BeforeEach
    void start() {
        transport.start();
        assertConfirmed(outcomes(transport, messages(well, 1))); // its route is known
    }

    @AfterEach
    void close() {
        end.countDown();
        transport.close();
    }

    /** Far more requests than are under way at once, each of which would hold the next one up. */
    @Test
    void aTopicThatHangsHoldsUpNoOtherAndWhatNeverLeftIsReportedAsSuch() {
        long began = System.nanoTime();
        List<CompletableFuture<SendResult>> stuck = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            stuck.addAll(send(transport, messages(hanging, 1)));
        }

        assertConfirmed(outcomes(transport, messages(well, 50)));
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(TIMEOUT);
        assertThat(stuck).noneMatch(CompletableFuture::isDone);

        List<SendResult> results = outcomes(stuck);
        int left = held.get();
        assertThat(left).isBetween(1, 4);
        assertThat(results)
                .filteredOn(result -> failureOrNull(result) == SendFailure.TIMED_OUT)
                .hasSize(left);
        assertThat(results)
                .filteredOn(result -> failureOrNull(result) == SendFailure.NOT_SENT)
                .hasSize(40 - left);
    }

    @Test
    void whatWaitedForATopicGoesTogetherWhenTheTopicAnswersAgain() {
        List<CompletableFuture<SendResult>> stuck = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            stuck.addAll(send(transport, messages(hanging, 1)));
        }
        end.countDown();

        assertConfirmed(outcomes(stuck));
        assertThat(held.get()).isLessThanOrEqualTo(4);
        assertThat(fixture.arrived(hanging, 40)).hasSize(40);
    }

    /** Holds requests up on the client's side of the connection, as a broker that does not read would. */
    private final class HoldingHook implements RPCHook {

        @Override
        public void doBeforeRequest(String address, RemotingCommand request) {
            boolean sends = request.getCode() == RequestCode.SEND_MESSAGE_V2
                    || request.getCode() == RequestCode.SEND_BATCH_MESSAGE;
            if (sends
                    && request.readCustomHeader() instanceof SendMessageRequestHeaderV2 header
                    && header.getB().equals(hanging.topic())
                    && end.getCount() > 0) {
                held.incrementAndGet();
                try {
                    end.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        @Override
        public void doAfterResponse(String address, RemotingCommand request, RemotingCommand response) {}
    }
}
