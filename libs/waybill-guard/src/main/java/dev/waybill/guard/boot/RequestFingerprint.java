package dev.waybill.guard.boot;

import dev.waybill.guard.web.Code;
import dev.waybill.guard.web.RefusedException;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.Part;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Tells two requests apart: method, path, parameters, caller, the headers that the handler asks for, and the body's bytes.
 * Every piece goes in with its length, so that no two requests run together into the same text.
 */
final class RequestFingerprint {

    private static final int LARGEST_UNDECLARED_BODY = 2 * 1024 * 1024;

    private final MessageDigest digest = sha256();

    private RequestFingerprint() {}

    static String of(HttpServletRequest request, @Nullable String caller, List<String> headers) {
        RequestFingerprint print = new RequestFingerprint();
        print.add(request.getMethod());
        print.add(request.getRequestURI());
        print.add(caller == null ? "" : "caller " + caller);
        for (String header : headers) {
            print.add(header);
            print.add(request.getHeader(header) == null ? "" : "is " + request.getHeader(header));
        }
        print.addBody(request);
        for (Map.Entry<String, String[]> parameter : new TreeMap<>(request.getParameterMap()).entrySet()) {
            print.add(parameter.getKey());
            for (String value : parameter.getValue()) {
                print.add("is " + value);
            }
        }
        return HexFormat.of().formatHex(print.digest.digest());
    }

    /** By what the handler says counts, instead of everything that was sent. */
    static String ofMeaning(HttpServletRequest request, @Nullable String caller, String meaning) {
        RequestFingerprint print = new RequestFingerprint();
        print.add("by meaning");
        print.add(request.getMethod());
        print.add(request.getRequestURI());
        print.add(caller == null ? "" : "caller " + caller);
        print.add(meaning);
        return HexFormat.of().formatHex(print.digest.digest());
    }

    private void addBody(HttpServletRequest request) {
        String type =
                request.getContentType() == null ? "" : request.getContentType().toLowerCase(Locale.ROOT);
        String declared = BodyDigestAdvice.of(request);
        try {
            if (type.startsWith("multipart/")) {
                for (Part part : request.getParts()) {
                    addPart(part);
                }
            } else if (declared != null) {
                add(declared);
            } else if (!type.startsWith("application/x-www-form-urlencoded")) {
                addStream(request.getInputStream());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ServletException | IllegalStateException e) {
            throw new RefusedException(Code.BAD_INPUT, null, Map.of(), e);
        }
    }

    private void addPart(Part part) throws IOException {
        add(part.getName());
        add(part.getSubmittedFileName() == null ? "" : "is " + part.getSubmittedFileName());
        add(part.getContentType() == null ? "" : part.getContentType());
        try (InputStream in = part.getInputStream()) {
            MessageDigest content = sha256();
            byte[] buffer = new byte[8192];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                content.update(buffer, 0, n);
            }
            add(HexFormat.of().formatHex(content.digest()));
        }
    }

    /** A body that the handler doesn't declare is read here; otherwise requests with different bodies would look the same. */
    private void addStream(InputStream in) throws IOException {
        byte[] body = in.readNBytes(LARGEST_UNDECLARED_BODY + 1);
        if (body.length > LARGEST_UNDECLARED_BODY) {
            throw new RefusedException(Code.BAD_INPUT);
        }
        add(HexFormat.of().formatHex(sha256().digest(body)));
    }

    private void add(String piece) {
        byte[] bytes = piece.getBytes(StandardCharsets.UTF_8);
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
        digest.update(bytes);
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
