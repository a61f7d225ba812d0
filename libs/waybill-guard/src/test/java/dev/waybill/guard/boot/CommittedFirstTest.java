package dev.waybill.guard.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.guard.idempotent.Idempotent;
import dev.waybill.guard.running.HttpReply;
import dev.waybill.guard.running.RedisDirect;
import dev.waybill.guard.running.Service;
import dev.waybill.guard.web.Answer;
import dev.waybill.servers.Redis;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@Servers(Server.REDIS)
class CommittedFirstTest {

    private static final AtomicReference<String> SEEN_AFTER_COMMIT = new AtomicReference<>("");
    private static RedisDirect direct;
    private static Service service;

    @RestController
    static class CommitController {

        private final JdbcTemplate jdbc;

        CommitController(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @PostMapping("/commit")
        @Idempotent(prefix = "test:commit")
        @Transactional
        public Answer<String> commit(@RequestParam String id, @RequestParam boolean fails) {
            jdbc.update("insert into done values (?)", id);
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void beforeCommit(boolean readOnly) {
                    if (fails) {
                        throw new IllegalStateException("the commit fails");
                    }
                }

                @Override
                public void afterCommit() {
                    SEEN_AFTER_COMMIT.set(direct.commands().get("idempotent:test:commit:" + id));
                }
            });
            return Answer.ok(id);
        }
    }

    @BeforeAll
    static void start(Redis redis) {
        direct = new RedisDirect(redis);
        service = Service.with(
                List.of(CommitController.class),
                "waybill.guard.redis.uri=" + redis.url(),
                "waybill.guard.redis.timeout=2s",
                "spring.datasource.url=jdbc:h2:mem:committed");
        service.bean(JdbcTemplate.class).execute("create table done (id varchar(64) primary key)");
    }

    @AfterAll
    static void stop() {
        service.close();
        direct.removeAll("idempotent:test:commit:*");
        direct.close();
    }

    private static int rows(String id) {
        return service.bean(JdbcTemplate.class)
                .queryForList("select id from done where id = ?", id)
                .size();
    }

    @Test
    void successIsWrittenAfterTheTransactionCommitted() {
        String id = UUID.randomUUID().toString();
        HttpReply reply = service.post("/commit?fails=false&id=" + id, "", "X-Idempotency-Key", id);
        assertThat(reply.status()).isEqualTo(200);
        assertThat(SEEN_AFTER_COMMIT.get()).contains("\"status\":\"PROCESSING\"");
        assertThat(direct.commands().get("idempotent:test:commit:" + id)).contains("\"status\":\"SUCCESS\"");
        assertThat(rows(id)).isEqualTo(1);
    }

    @Test
    void aCommitThatFailsFreesTheKey() {
        String id = UUID.randomUUID().toString();
        HttpReply reply = service.post("/commit?fails=true&id=" + id, "", "X-Idempotency-Key", id);
        assertThat(reply.code()).isEqualTo("B0001");
        assertThat(direct.commands().exists("idempotent:test:commit:" + id)).isZero();
        assertThat(rows(id)).isZero();
    }
}
