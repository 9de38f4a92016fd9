<?php

/** The parts of Laravel that the PHP client and its examples use, in memory. */

declare(strict_types=1);

namespace Illuminate\Console\Scheduling {
    final class Schedule
    {
        /** @var array<int, callable> */
        public array $calls = [];

        public function call(callable $callback): self
        {
            $this->calls[] = $callback;
            return $this;
        }

        public function hourly(): self
        {
            return $this;
        }
    }
}

namespace Illuminate\Support {
    abstract class ServiceProvider
    {
        /** @var \LaravelApp */
        protected $app;

        public function __construct(\LaravelApp $app)
        {
            $this->app = $app;
        }

        protected function callAfterResolving(string $name, callable $callback): void
        {
            $callback($this->app->make($name));
        }
    }
}

namespace {
    /** The part of Laravel's cache that the client uses, with its locks. */
    final class LaravelCache
    {
        /** @var array<string, mixed> */
        public array $values = [];
        /** @var array<string, bool> */
        public array $locks = [];

        public function get(string $name)
        {
            return $this->values[$name] ?? null;
        }

        public function forever(string $name, $value): bool
        {
            $this->values[$name] = $value;
            return true;
        }

        public function forget(string $name): bool
        {
            unset($this->values[$name]);
            return true;
        }

        public function lock(string $name, int $seconds): LaravelLock
        {
            return new LaravelLock($this, $name);
        }
    }

    final class LaravelLock
    {
        private LaravelCache $cache;
        private string $name;

        public function __construct(LaravelCache $cache, string $name)
        {
            $this->cache = $cache;
            $this->name = $name;
        }

        public function get(): bool
        {
            $isFree = !isset($this->cache->locks[$this->name]);
            $this->cache->locks[$this->name] = true;
            return $isFree;
        }

        public function release(): bool
        {
            unset($this->cache->locks[$this->name]);
            return true;
        }
    }

    final class LaravelApp
    {
        /** @var array<string, object> */
        private array $made = [];
        /** @var array<string, callable> */
        private array $makers = [];

        public function singleton(string $name, callable $make): void
        {
            $this->makers[$name] = $make;
        }

        public function make(string $name): object
        {
            return $this->made[$name] ??= ($this->makers[$name])($this);
        }
    }

    final class LaravelCacheManager
    {
        private LaravelCache $cache;

        public function __construct()
        {
            $this->cache = new LaravelCache();
        }

        public function store(): LaravelCache
        {
            return $this->cache;
        }
    }

    final class LaravelConfig
    {
        /** @var array<string, string> */
        public array $values = ['app.key' => 'base64:of-the-application'];

        public function get(string $name): ?string
        {
            return $this->values[$name] ?? null;
        }
    }

    function app(?string $name = null): object
    {
        static $app = null;
        if ($app === null) {
            $app = new LaravelApp();
            $app->singleton('cache', static fn (): LaravelCacheManager => new LaravelCacheManager());
            $app->singleton('config', static fn (): LaravelConfig => new LaravelConfig());
            $app->singleton(
                Illuminate\Console\Scheduling\Schedule::class,
                static fn (): object => new Illuminate\Console\Scheduling\Schedule()
            );
        }
        return $name === null ? $app : $app->make($name);
    }

    function config(string $name): ?string
    {
        return app('config')->get($name);
    }
}
