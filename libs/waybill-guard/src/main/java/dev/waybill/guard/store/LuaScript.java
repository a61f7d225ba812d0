package dev.waybill.guard.store;

import io.lettuce.core.codec.StringCodec;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A Lua script that ships beside the class that calls it, known to Redis by its digest. */
public record LuaScript(String text, String sha1) {

    static final StringCodec CODEC = StringCodec.UTF8;

    /** Reads {@code file} from the folder of {@code owner}. */
    public static LuaScript beside(Class<?> owner, String file) {
        try (InputStream in = owner.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException(file + " is missing beside " + owner.getName());
            }
            byte[] bytes = in.readAllBytes();
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(bytes);
            return new LuaScript(
                    new String(bytes, StandardCharsets.UTF_8), HexFormat.of().formatHex(digest));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-1", e);
        }
    }
}
