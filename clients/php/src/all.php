<?php

declare(strict_types=1);

// All together, so that classes of two copies never mix, even if a plugin is updated while a page loads.
foreach (['code', 'options', 'http', 'stores', 'signature', 'record', 'result', 'server', 'client'] as $name) {
    require __DIR__ . "/$name.php";
}
foreach (['wordpress-turkish', 'wordpress-page', 'wordpress'] as $name) {
    require __DIR__ . "/$name.php";
}
