#!/bin/sh
# Writes the files that cosm-gen makes of the headers of scenes and examples to their folders
# `generated`, which are used where cosm-gen cannot be built: generate.sh COSM-GEN [--check]
#
# With --check nothing is written: it fails, and says which, where a file is not as it should be.
set -eu
cd "$(dirname "$0")/.."
gen=$1
check=${2:-}
for header in scenes/motion.h scenes/falling.h scenes/grid.h scenes/boids.h scenes/swarm.h \
    scenes/cartpole.h scenes/forage.h examples/generated.h; do
    # The option is one word or none.
    # shellcheck disable=SC2086
    "$gen" $check -I include -o "$(dirname "$header")/generated" "$header"
done
# Headers of modules: their names are the library's, and installed programs include them by <>.
generate_module() { # MODULE NAME HEADER
    # shellcheck disable=SC2086
    "$gen" $check --module -I include -I modules/space/include -I modules/physics/include \
        -o "modules/$1/generated" --name "$2" --include "<$3>" "modules/$1/include/$3"
}
generate_module space cosm_space cosm_space/pose.h
generate_module physics cosm_physics_body cosm_physics/body.h
