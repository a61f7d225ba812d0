package dev.waybill.jdbc.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.jdbc.archive.ArchiveException.Reason;
import dev.waybill.jdbc.archive.ArchiveReader.Ending;
import dev.waybill.testkit.ManualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileArchiveTest {

    private static final long LARGE = 1_000_000;

    @TempDir
    private Path folder;

    private final ManualClock clock = ManualClock.at("2026-02-04T10:30:00Z");

    @Test
    void whatWasWrittenComesBackToTheByte() {
        List<ArchivedRow> rows = List.of(row("1", "{\"a\": \"\\u00e9\"}\n\r\t\u0000 中文 \uD83D\uDE00"), row("2", null));
        try (FileArchive archive = new FileArchive(folder, LARGE, clock)) {
            archive.write(rows);
            archive.write(List.of(row("3", "")));
        }
        List<ArchivedRow> back = new ArrayList<>();
        assertThat(ArchiveReader.read(onlyFile(), back::add)).isEqualTo(Ending.CLOSED);
        assertThat(back).hasSize(3);
        assertThat(rows.get(0).differences(back.get(0))).isEmpty();
        assertThat(rows.get(1).differences(back.get(1))).isEmpty();
        assertThat(rows.get(1).differences(back.get(0))).containsExactly("event_id", "payload");
    }

    @Test
    void aProcessThatDiesLeavesEverythingThatItDeletedEvenWhenItsLastLineIsHalf() throws IOException {
        FileArchive archive = new FileArchive(folder, LARGE, clock); // is never closed
        archive.write(many(0, 500));
        byte[] sure = Files.readAllBytes(onlyFile());
        archive.write(many(500, 500));
        byte[] all = Files.readAllBytes(onlyFile());

        assertThat(read(sure)).hasSize(500);
        for (int length = sure.length; length < all.length; length += 97) {
            assertThat(read(Arrays.copyOf(all, length)).size()).isBetween(500, 1_000);
        }
        assertThat(read(all)).hasSize(1_000);
    }

    @Test
    void aDamagedFileIsRefused() throws IOException {
        try (FileArchive archive = new FileArchive(folder, LARGE, clock)) {
            archive.write(many(0, 500));
        }
        byte[] bytes = Files.readAllBytes(onlyFile());
        bytes[bytes.length / 2] ^= 0x55;
        Files.write(onlyFile(), bytes);

        assertThatThrownBy(() -> ArchiveReader.read(onlyFile(), row -> {}))
                .isInstanceOfSatisfying(
                        ArchiveException.class, e -> assertThat(e.reason()).isEqualTo(Reason.DAMAGED));
    }

    @Test
    void anotherFileBeginsWhenOneIsFullAndWhenADayIsOver() {
        try (FileArchive archive = new FileArchive(folder, 1, clock)) {
            archive.write(many(0, 10));
            archive.write(many(10, 10));
        }
        assertThat(ArchiveReader.files(folder)).hasSize(2);
        try (FileArchive archive = new FileArchive(folder, LARGE, clock)) {
            archive.write(many(20, 10));
            archive.write(many(30, 10));
            clock.advance(Duration.ofDays(1));
            archive.write(many(40, 10));
        }
        assertThat(ArchiveReader.files(folder)).hasSize(4);
        List<ArchivedRow> back = new ArrayList<>();
        ArchiveReader.files(folder)
                .forEach(file -> assertThat(ArchiveReader.read(file, back::add)).isEqualTo(Ending.CLOSED));
        assertThat(back).hasSize(50);
    }

    @Test
    void onlyTheOwnerReadsIt() throws IOException {
        try (FileArchive archive = new FileArchive(folder.resolve("new/one"), LARGE, clock)) {
            archive.write(many(0, 1));
        }
        Path file = ArchiveReader.files(folder.resolve("new/one")).get(0);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("new/one"))))
                .isEqualTo("rwx------");
    }

    @Test
    void aFolderThatCannotBeWrittenIsRefusedAtOnce() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        assertThatThrownBy(() -> new FileArchive(file.resolve("below"), LARGE, clock))
                .isInstanceOfSatisfying(
                        ArchiveException.class, e -> assertThat(e.reason()).isEqualTo(Reason.UNWRITABLE));
    }

    private List<ArchivedRow> read(byte[] bytes) throws IOException {
        Path copy = Files.write(folder.resolve("copy"), bytes);
        List<ArchivedRow> rows = new ArrayList<>();
        assertThat(ArchiveReader.read(copy, rows::add)).isEqualTo(Ending.CUT_OFF);
        return rows;
    }

    private Path onlyFile() {
        assertThat(ArchiveReader.files(folder)).hasSize(1);
        return ArchiveReader.files(folder).get(0);
    }

    private static List<ArchivedRow> many(int from, int count) {
        return IntStream.range(from, from + count)
                .mapToObj(i -> row("id-" + i, "payload " + i * 7919))
                .toList();
    }

    private static ArchivedRow row(String id, String payload) {
        Map<String, Object> columns = new LinkedHashMap<>();
        columns.put("event_id", id);
        columns.put("payload", payload);
        columns.put("body", new byte[] {0, -1, 10});
        return new ArchivedRow("waybill_outbox", columns);
    }
}
