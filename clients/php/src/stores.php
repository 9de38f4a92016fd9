<?php

declare(strict_types=1);

namespace Pazar;

/** Stores one text. The client treats a store that throws an exception as empty and read-only. */
interface Store {
    public function read(): ?string;
    /** Replaces $old (null: an empty store) by $new atomically. Returns false if the store has another text or is not writable. */
    public function replace(?string $old, string $new): bool;
    public function delete(): void;
}

/** A file with mode 0600 and a lock file next to it. The folder must exist and must not be served by the web server. */
final class FileStore implements Store {
    private string $path;

    public function __construct(string $path) { $this->path = $path; }
    public function read(): ?string { return @file_get_contents($this->path) ?: null; }

    public function replace(?string $old, string $new): bool {
        // The lock is released when $lock goes out of scope.
        $lock = @fopen($this->path . '.lock', 'c');
        return $lock !== false && flock($lock, LOCK_EX) && $this->read() === $old && $this->write($new);
    }

    public function delete(): void { @unlink($this->path); }

    /** Writes a temporary file and renames it, so readers never see a partial text. */
    private function write(string $text): bool {
        $temporary = $this->path . '.' . bin2hex(random_bytes(6));
        $isPrivate = @file_put_contents($temporary, '') === 0 && chmod($temporary, 0600);
        $isWritten = $isPrivate && @file_put_contents($temporary, $text) === strlen($text) && @rename($temporary, $this->path);
        $isWritten || @unlink($temporary);
        return $isWritten;
    }
}

final class WordPressStore implements Store {
    private string $option;
    private ?int $blog;

    /** $blog is the site of a multisite network; null for the current site. */
    public function __construct(string $option, ?int $blog = null) { [$this->option, $this->blog] = [$option, $blog]; }

    public function read(): ?string {
        $text = $this->onBlog(fn () => get_option($this->option, null));
        return is_string($text) ? $text : null;
    }

    /** Uses SQL, because update_option() would overwrite concurrent changes. */
    public function replace(?string $old, string $new): bool {
        return $this->onBlog(function () use ($old, $new): bool {
            global $wpdb;
            $sql = "INSERT IGNORE INTO {$wpdb->options} (option_name, option_value, autoload) VALUES (%s, %s, 'no')";
            $where = ['option_name' => $this->option, 'option_value' => $old];
            $changed = $old === null
                ? $wpdb->query($wpdb->prepare($sql, $this->option, $new))
                : $wpdb->update($wpdb->options, ['option_value' => $new], $where);
            wp_cache_delete($this->option, 'options');
            wp_cache_delete('notoptions', 'options');
            return $changed === 1;
        });
    }

    public function delete(): void { $this->onBlog(fn () => delete_option($this->option)); }

    private function onBlog(callable $do) {
        $this->blog === null || switch_to_blog($this->blog);
        try {
            return $do();
        } finally {
            $this->blog === null || restore_current_blog();
        }
    }
}
