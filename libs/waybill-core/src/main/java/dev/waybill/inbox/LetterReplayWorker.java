package dev.waybill.inbox;

import dev.waybill.job.JobItemResult;
import dev.waybill.job.JobWorker;
import dev.waybill.store.DeadLetterStore;
import dev.waybill.store.DeadLetterStore.StoredLetter;
import dev.waybill.store.JobStore.NewJob;
import dev.waybill.store.JobStore.StoredJob;
import java.time.temporal.ChronoUnit;

/** Replays the letters of a job. A letter's own state tells what a crash left open, so none is sent twice by a job. */
final class LetterReplayWorker implements JobWorker {

    private final DeadLetterStore store;
    private final DeadLetters letters;

    LetterReplayWorker(DeadLetterStore store, DeadLetters letters) {
        this.store = store;
        this.letters = letters;
    }

    @Override
    public String kind() {
        return DeadLetters.REPLAY_JOB;
    }

    @Override
    public JobItemResult work(StoredJob job, String subject) throws InterruptedException {
        StoredLetter letter = store.find(Long.parseLong(subject)).orElse(null);
        if (letter == null) {
            return new JobItemResult.Refused("there is no such letter");
        }
        return switch (letter.state()) {
            case OPEN -> replay(job, letter);
            case REPLAYING -> new JobItemResult.Later("its replay is under way");
            case REPLAYED ->
                sinceBegun(job, letter)
                        ? new JobItemResult.Done()
                        : new JobItemResult.Refused("it had been replayed before, at " + letter.changedAt());
            case DISCARDED -> new JobItemResult.Refused("it was discarded");
        };
    }

    /** By this job, whose process may have died before it was written down. Some databases keep milliseconds of a letter's times. */
    static boolean sinceBegun(StoredJob job, StoredLetter letter) {
        return !letter.changedAt().isBefore(job.createdAt().truncatedTo(ChronoUnit.MILLIS));
    }

    private JobItemResult replay(StoredJob job, StoredLetter letter) throws InterruptedException {
        NewJob asked = job.asked();
        ReplayRequest request = new ReplayRequest(
                asked.decision(), asked.perSecond(), asked.terms().equals(DeadLetters.EVEN_FORGOTTEN));
        ReplayReport report = letters.replay(letter, request);
        if (!report.replayed().isEmpty()) {
            return new JobItemResult.Done();
        }
        String why = report.refused().getOrDefault(letter.id(), "it was not replayed");
        if (report.brokerGone()) {
            return new JobItemResult.Blocked(why);
        }
        return why.equals(DeadLetterReplayer.NOT_OPEN)
                ? new JobItemResult.Later(why) // another was quicker: its state tells next time
                : new JobItemResult.Refused(why);
    }
}
