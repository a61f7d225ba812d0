package dev.waybill.quickstart;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Checks ports and folder before a service starts, so that a mistake is reported in one sentence and not by a stack trace. */
final class StartChecks {

    private static final String MESSAGES = "messages";

    private StartChecks() {}

    static void portIsFree(Service service, int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        } catch (IOException e) {
            throw new StartRefusedException(
                    "port " + port + ", where " + service.title + " listens, is taken: stop what uses it, or"
                            + " choose another with --" + service.portProperty() + "=N");
        }
    }

    static void folderIsWritable(Path folder) {
        try {
            Files.createDirectories(folder);
            Files.delete(Files.createTempFile(folder, "probe", null));
        } catch (IOException e) {
            throw new StartRefusedException("the data folder " + folder
                    + " cannot be written: make it writable, or choose another with" + " --data-dir=FOLDER");
        }
    }

    /**
     * Takes the folder for as long as the channel is open, or until this process ends. The embedded databases would refuse a
     * second process too, but with a stack trace.
     */
    static FileChannel takeFolder(Path folder) {
        try {
            FileChannel channel =
                    FileChannel.open(folder.resolve("in-use"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (isLocked(channel)) {
                return channel;
            }
            channel.close();
        } catch (IOException e) {
            throw new StartRefusedException("the data folder " + folder + " cannot be locked: " + e.getMessage());
        }
        throw new StartRefusedException("another ./dev run uses the data folder " + folder
                + ": stop it, or choose another folder with --data-dir=FOLDER");
    }

    private static boolean isLocked(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false; // this process has it itself
        }
    }

    /** Where the broker that all services share keeps its messages. */
    static Path brokerFile(Path folder) {
        return folder.resolve("broker").resolve(MESSAGES);
    }

    /** Deletes the files of databases and brokers and nothing else, because the folder may have been named by mistake. */
    static void deleteData(Path folder) {
        deleteData(folder.resolve("broker"), MESSAGES + "*");
        for (Service service : Service.values()) {
            deleteData(folder.resolve(service.title), "{*.db," + MESSAGES + "*}");
        }
    }

    private static void deleteData(Path folder, String pattern) {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, pattern)) {
            for (Path file : files) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new StartRefusedException(
                    "what earlier runs left in " + folder + " cannot be deleted: " + e.getMessage());
        }
    }
}
