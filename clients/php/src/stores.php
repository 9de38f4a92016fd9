<?php

declare(strict_types=1);

namespace Pazar;

/** Keeps one record. */
interface Store
{
    /** Null if there is none. */
    public function read(): ?string;

    /**
     * Writes $new if the store still holds $old (null: nothing), in one step. False if another process was
     * faster or the store cannot be written. An exception counts as false.
     */
    public function replace(?string $old, string $new): bool;

    public function delete(): void;
}

/** A file that only its owner can read, and a lock file beside it. Keep it out of the web server's folder, in one that exists. */
final class FileStore implements Store
{
    private string $path;

    public function __construct(string $path)
    {
        $this->path = $path;
    }

    public function read(): ?string
    {
        $text = @file_get_contents($this->path);
        return $text === false ? null : $text;
    }

    public function replace(?string $old, string $new): bool
    {
        $lock = @fopen($this->path . '.lock', 'c');
        if ($lock === false || !flock($lock, LOCK_EX)) {
            return false;
        }
        try {
            return $this->read() === $old && $this->write($new);
        } finally {
            fclose($lock);
        }
    }

    public function delete(): void
    {
        @unlink($this->path);
    }

    /** Writes beside and renames, so that no reader sees half a record. */
    private function write(string $text): bool
    {
        $beside = $this->path . '.' . bin2hex(random_bytes(6));
        $file = @fopen($beside, 'x');
        if ($file === false) {
            return false;
        }
        chmod($beside, 0600);
        $isWritten = fwrite($file, $text) === strlen($text) && fclose($file) && @rename($beside, $this->path);
        if (!$isWritten) {
            @unlink($beside);
        }
        return $isWritten;
    }
}

/** An option of WordPress that is not autoloaded. */
final class WordPressStore implements Store
{
    private string $option;
    private ?int $site;

    /** @param int|null $site the site of a network that has the option; null: the current one */
    public function __construct(string $option, ?int $site = null)
    {
        $this->option = $option;
        $this->site = $site;
    }

    public function read(): ?string
    {
        $text = $this->site === null
            ? get_option($this->option, null)
            : get_blog_option($this->site, $this->option, null);
        return is_string($text) ? $text : null;
    }

    public function replace(?string $old, string $new): bool
    {
        if ($this->site === null) {
            return $this->replaceHere($old, $new);
        }
        switch_to_blog($this->site);
        try {
            return $this->replaceHere($old, $new);
        } finally {
            restore_current_blog();
        }
    }

    public function delete(): void
    {
        if ($this->site === null) {
            delete_option($this->option);
        } else {
            delete_blog_option($this->site, $this->option);
        }
    }

    /** By SQL, because update_option() would overwrite what another page load wrote. */
    private function replaceHere(?string $old, string $new): bool
    {
        global $wpdb;
        if ($old === null) {
            $sql = "INSERT IGNORE INTO {$wpdb->options} (option_name, option_value, autoload) VALUES (%s, %s, 'no')";
            $changed = $wpdb->query($wpdb->prepare($sql, $this->option, $new));
        } else {
            $where = ['option_name' => $this->option, 'option_value' => $old];
            $changed = $wpdb->update($wpdb->options, ['option_value' => $new], $where);
        }
        wp_cache_delete($this->option, 'options');
        wp_cache_delete('notoptions', 'options');
        return $changed === 1;
    }
}

/** Laravel's cache: app('cache')->store(). Emptying the cache forgets the answer; a file does not. */
final class LaravelStore implements Store
{
    private const LOCK_SECONDS = 10;

    /** @var \Illuminate\Contracts\Cache\Repository */
    private $cache;
    private string $name;

    /** @param \Illuminate\Contracts\Cache\Repository $cache of a driver with locks, such as file, database or redis */
    public function __construct($cache, string $name = 'pazar')
    {
        $this->cache = $cache;
        $this->name = $name;
    }

    public function read(): ?string
    {
        $text = $this->cache->get($this->name);
        return is_string($text) ? $text : null;
    }

    public function replace(?string $old, string $new): bool
    {
        $lock = $this->cache->lock($this->name . ':lock', self::LOCK_SECONDS);
        if (!$lock->get()) {
            return false;
        }
        try {
            return $this->read() === $old && $this->cache->forever($this->name, $new);
        } finally {
            $lock->release();
        }
    }

    public function delete(): void
    {
        $this->cache->forget($this->name);
    }
}
