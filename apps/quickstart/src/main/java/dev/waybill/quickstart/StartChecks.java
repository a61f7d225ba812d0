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

    /** Deletes the services' database files and nothing else, because the folder may have been named by mistake. */
    static void deleteData(Path folder) {
        for (Service service : Service.values()) {
            if (!Files.isDirectory(folder.resolve(service.title))) {
                continue;
            }
            try (DirectoryStream<Path> files = Files.newDirectoryStream(folder.resolve(service.title), "*.db")) {
                for (Path file : files) {
                    Files.delete(file);
                }
            } catch (IOException e) {
                throw new StartRefusedException("what earlier runs left in " + folder.resolve(service.title)
                        + " cannot be deleted: " + e.getMessage());
            }
        }
    }
}
