<?php

declare(strict_types=1);

namespace Pazar;

/** Stores one text. An exception counts as an empty store that cannot be written. */
interface Store {
    /** Null if there is none. */
    public function read(): ?string;

    /** Writes $new if the store still has $old (null: nothing), in one step. False if it has not, or cannot be written. */
    public function replace(?string $old, string $new): bool;

    public function delete(): void;
}

/** A file that only its owner can read, with a lock file beside it: in a folder that exists and is not served. */
final class FileStore implements Store {
    private string $path;

    public function __construct(string $path) {
        $this->path = $path;
    }

    public function read(): ?string {
        return @file_get_contents($this->path) ?: null;
    }

    public function replace(?string $old, string $new): bool {
        // The lock ends with the function.
        $lock = @fopen($this->path . '.lock', 'c');
        return $lock !== false && flock($lock, LOCK_EX) && $this->read() === $old && $this->write($new);
    }

    public function delete(): void {
        @unlink($this->path);
    }

    /** Writes beside and renames, so that no reader sees half a text. */
    private function write(string $text): bool {
        $beside = $this->path . '.' . bin2hex(random_bytes(6));
        $isPrivate = @file_put_contents($beside, '') === 0 && chmod($beside, 0600);
        $isWritten = $isPrivate && @file_put_contents($beside, $text) === strlen($text) && @rename($beside, $this->path);
        $isWritten || @unlink($beside);
        return $isWritten;
    }
}

/** An option of WordPress that is not autoloaded. */
final class WordPressStore implements Store {
    private string $option;
    private ?int $blog;

    /** $blog is the site of a network that has the option; null: the current one. */
    public function __construct(string $option, ?int $blog = null) {
        [$this->option, $this->blog] = [$option, $blog];
    }

    public function read(): ?string {
        $text = $this->onBlog(fn () => get_option($this->option, null));
        return is_string($text) ? $text : null;
    }

    /** By SQL, because update_option() would overwrite what another page load wrote. */
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

    public function delete(): void {
        $this->onBlog(fn () => delete_option($this->option));
    }

    private function onBlog(callable $do) {
        if ($this->blog === null) {
            return $do();
        }
        switch_to_blog($this->blog);
        try {
            return $do();
        } finally {
            restore_current_blog();
        }
    }
}
