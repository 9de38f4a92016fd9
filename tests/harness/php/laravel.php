<?php

/** The parts of Laravel that the example for it uses, in memory. */

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
        protected \LaravelApp $app;

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
    final class LaravelApp
    {
        public string $storage = '';
        /** @var array<string, object> */
        public array $made = [];
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

        public function storagePath(string $path): string
        {
            return "$this->storage/$path";
        }
    }

    final class LaravelConfig
    {
        /** @var array<string, string> */
        public array $values = ['app.url' => 'https://shop.example.com'];

        public function get(string $name): ?string
        {
            return $this->values[$name] ?? null;
        }
    }
}
