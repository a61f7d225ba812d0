package dev.waybill.memory;

import java.nio.file.Path;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A broker that a contract can kill. With a file, everything in memory is forgotten and read from the file again. */
record KeptBroker(MemoryBroker broker, @Nullable Path file) {

    static KeptBroker nowhere() {
        return new KeptBroker(new MemoryBroker(), null);
    }

    static KeptBroker in(Path folder) {
        Path file = folder.resolve(UUID.randomUUID().toString());
        return new KeptBroker(MemoryBroker.keptIn(file), file);
    }

    void kill() {
        broker.goDown();
        broker.close();
    }

    void revive() {
        if (file == null) {
            broker.comeUp();
        } else {
            broker.open(file);
        }
    }
}
