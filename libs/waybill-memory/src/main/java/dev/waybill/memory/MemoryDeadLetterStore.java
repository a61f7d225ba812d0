package dev.waybill.memory;

import dev.waybill.message.DeadLetter;
import dev.waybill.store.DeadLetterStore;
import dev.waybill.store.OperatorDecision;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Dead letters in memory, with the promises of a database but for durability: nothing survives the process. */
public final class MemoryDeadLetterStore implements DeadLetterStore {

    private static final Comparator<MemoryLetterRow> BEGUN_FIRST = Comparator.comparing(MemoryLetterRow::changedAt)
            .thenComparing(row -> row.stored().id());

    private final MemoryTransactions transactions;
    private final MemoryDatabase database;

    /** Letters beside the other tables of these transactions. Every call is a transaction of its own. */
    public MemoryDeadLetterStore(MemoryTransactions transactions) {
        this.transactions = transactions;
        this.database = transactions.database();
    }

    @Override
    public void save(DeadLetter letter, @Nullable String eventId, @Nullable String eventType) {
        own(() -> {
            MemoryLetterRow.LetterKey key = MemoryLetterRow.LetterKey.of(letter);
            database.letterIds.requireFree(key, transactions.transaction());
            if (database.letterIds.read(key) != null) {
                return false;
            }
            long id = database.nextId();
            Instant now = database.now();
            String error = letter.error();
            DeadLetter fitting = error == null ? letter : letter.withError(MemoryDatabase.cut(error));
            int replays = eventId == null ? 0 : replaysBefore(letter, eventId);
            database.letterIds.write(key, id, transactions.transaction());
            write(new MemoryLetterRow(
                    new StoredLetter(id, fitting, eventId, eventType, State.OPEN, now, now, replays), now));
            return true;
        });
    }

    private int replaysBefore(DeadLetter letter, String eventId) {
        return database.letters.readAll().stream()
                .filter(row -> row.isOf(letter, eventId))
                .mapToInt(row -> row.stored().replays())
                .max()
                .orElse(0);
    }

    @Override
    public List<StoredLetter> list(Filter filter, int limit, long afterId) {
        return database.letters.readAll().stream()
                .filter(row -> row.stored().id() > afterId && row.matches(filter))
                .limit(limit)
                .map(MemoryLetterRow::stored)
                .toList();
    }

    @Override
    public List<LetterSummary> summaries(Filter filter, int limit, long afterId) {
        return list(filter, limit, afterId).stream().map(LetterSummary::of).toList();
    }

    @Override
    public long count(Filter filter) {
        return database.letters.readAll().stream()
                .filter(row -> row.matches(filter))
                .count();
    }

    @Override
    public Optional<StoredLetter> find(long id) {
        return Optional.ofNullable(database.letters.read(id)).map(MemoryLetterRow::stored);
    }

    @Override
    public boolean edit(long id, byte[] body, OperatorDecision decision) {
        return own(() -> {
            MemoryLetterRow before = inState(id, State.OPEN);
            if (before == null) {
                return false;
            }
            write(before.edited(body, database.now()));
            audit(
                    "EDIT",
                    before.stored(),
                    decision,
                    text(before.stored().letter().body()));
            return true;
        });
    }

    @Override
    public List<StoredLetter> beginReplay(List<Long> ids, OperatorDecision decision) {
        return decide("REPLAY", ids, State.REPLAYING, decision);
    }

    @Override
    public int discard(List<Long> ids, OperatorDecision decision) {
        return decide("DISCARD", ids, State.DISCARDED, decision).size();
    }

    @Override
    public List<StoredLetter> takeOver(Duration begunBefore, int limit) {
        return own(() -> {
            Instant now = database.now();
            Instant latest = now.minus(begunBefore);
            return database
                    .letters
                    .unlocked(row -> row.stored().state() == State.REPLAYING
                            && !row.changedAt().isAfter(latest))
                    .stream()
                    .sorted(BEGUN_FIRST)
                    .limit(limit)
                    .map(row -> write(row.in(State.REPLAYING, now)).stored())
                    .toList();
        });
    }

    @Override
    public void replayed(long id) {
        endReplay(id, row -> row.replayed(database.now()));
    }

    @Override
    public void replayFailed(long id, String error) {
        endReplay(id, row -> row.refused(MemoryDatabase.cut(error), database.now()));
    }

    @Override
    public void putBack(long id) {
        endReplay(id, row -> row.in(State.OPEN, database.now()));
    }

    @Override
    public int sweepSettled(Duration olderThan, int limit) {
        return own(() -> {
            Instant before = database.now().minus(olderThan);
            MemoryTransaction transaction = transactions.transaction();
            List<MemoryLetterRow> swept = database.letters.sweep(
                    row -> row.isSettled() && !row.changedAt().isAfter(before), limit, transaction);
            swept.forEach(row -> database.letterIds.write(
                    MemoryLetterRow.LetterKey.of(row.stored().letter()), null, transaction));
            return swept.size();
        });
    }

    @Override
    public int sweepAudit(Duration olderThan, int limit) {
        return own(() -> database.sweepAudit(true, olderThan, limit, transactions.transaction()));
    }

    private void endReplay(long id, UnaryOperator<MemoryLetterRow> end) {
        own(() -> {
            MemoryLetterRow row = inState(id, State.REPLAYING);
            return row != null && write(end.apply(row)) != null;
        });
    }

    private List<StoredLetter> decide(String action, List<Long> ids, State to, OperatorDecision decision) {
        return own(() -> {
            List<StoredLetter> moved = new ArrayList<>();
            for (Long id : ids) {
                MemoryLetterRow row = inState(id, State.OPEN);
                if (row != null) {
                    moved.add(write(row.in(to, database.now())).stored());
                    audit(action, row.stored(), decision, null);
                }
            }
            return moved;
        });
    }

    /** The letter, once no other transaction is writing it, if it is in this state. */
    private @Nullable MemoryLetterRow inState(long id, State state) {
        MemoryLetterRow row = database.letters.lockable(id, transactions.transaction());
        return row == null || row.stored().state() != state ? null : row;
    }

    private MemoryLetterRow write(MemoryLetterRow row) {
        database.letters.write(row.stored().id(), row, transactions.transaction());
        return row;
    }

    private void audit(String action, StoredLetter letter, OperatorDecision decision, @Nullable String content) {
        database.audit(action, decision, letter.id(), letter.eventId(), content, transactions.transaction());
    }

    private <T> T own(Supplier<T> work) {
        return transactions.inTransaction(() -> {
            synchronized (database) {
                return work.get();
            }
        });
    }

    /** A body as text where it is one, else as Base64. */
    private static String text(byte[] body) {
        String text = new String(body, StandardCharsets.UTF_8);
        boolean whole = text.indexOf('\0') < 0 && Arrays.equals(text.getBytes(StandardCharsets.UTF_8), body);
        return whole ? text : "base64:" + Base64.getEncoder().encodeToString(body);
    }
}
