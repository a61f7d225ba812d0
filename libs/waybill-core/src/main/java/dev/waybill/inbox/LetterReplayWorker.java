package dev.waybill.inbox;

import dev.waybill.job.JobItemResult;
import dev.waybill.job.JobWorker;
import dev.waybill.store.DeadLetterStore;
import dev.waybill.store.DeadLetterStore.StoredLetter;
import dev.waybill.store.JobStore.NewJob;

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
    public JobItemResult work(NewJob job, String subject) throws InterruptedException {
        StoredLetter letter = store.find(Long.parseLong(subject)).orElse(null);
        if (letter == null) {
            return new JobItemResult.Refused("there is no such letter");
        }
        return switch (letter.state()) {
            case OPEN -> replay(job, letter);
            case REPLAYING -> new JobItemResult.Later("its replay is under way");
            case REPLAYED -> new JobItemResult.Done();
            case DISCARDED -> new JobItemResult.Refused("it was discarded");
        };
    }

    private JobItemResult replay(NewJob job, StoredLetter letter) throws InterruptedException {
        ReplayRequest request =
                new ReplayRequest(job.decision(), job.perSecond(), job.terms().equals(DeadLetters.EVEN_FORGOTTEN));
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
